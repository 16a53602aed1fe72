"""Rules for the kinds that admins write: DeviceClass, DeviceTaintRule, ResourcePoolStatusRequest."""
