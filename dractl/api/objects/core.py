"""Objects of the API group core; written by python -m tests.drift --fix."""

from __future__ import annotations

from typing import TypedDict

from dractl.api.objects import meta


class AWSElasticBlockStoreVolumeSource(TypedDict, total=False):
    """AWSElasticBlockStoreVolumeSource of core/v1."""

    fsType: str
    partition: int
    readOnly: bool
    volumeID: str


class Affinity(TypedDict, total=False):
    """Affinity of core/v1."""

    nodeAffinity: NodeAffinity
    podAffinity: PodAffinity
    podAntiAffinity: PodAntiAffinity


class AppArmorProfile(TypedDict, total=False):
    """AppArmorProfile of core/v1."""

    localhostProfile: str
    type: str


class AttachedVolume(TypedDict, total=False):
    """AttachedVolume of core/v1."""

    devicePath: str
    name: str


class AzureDiskVolumeSource(TypedDict, total=False):
    """AzureDiskVolumeSource of core/v1."""

    cachingMode: str
    diskName: str
    diskURI: str
    fsType: str
    kind: str
    readOnly: bool


class AzureFileVolumeSource(TypedDict, total=False):
    """AzureFileVolumeSource of core/v1."""

    readOnly: bool
    secretName: str
    shareName: str


class CSIVolumeSource(TypedDict, total=False):
    """CSIVolumeSource of core/v1."""

    driver: str
    fsType: str
    nodePublishSecretRef: LocalObjectReference
    readOnly: bool
    volumeAttributes: dict[str, str]


class Capabilities(TypedDict, total=False):
    """Capabilities of core/v1."""

    add: list[str]
    drop: list[str]


class CephFSVolumeSource(TypedDict, total=False):
    """CephFSVolumeSource of core/v1."""

    monitors: list[str]
    path: str
    readOnly: bool
    secretFile: str
    secretRef: LocalObjectReference
    user: str


class CinderVolumeSource(TypedDict, total=False):
    """CinderVolumeSource of core/v1."""

    fsType: str
    readOnly: bool
    secretRef: LocalObjectReference
    volumeID: str


class ClaimSource(TypedDict, total=False):
    """ClaimSource of core/v1."""

    resourceClaimName: str
    resourceClaimTemplateName: str


class ClusterTrustBundleProjection(TypedDict, total=False):
    """ClusterTrustBundleProjection of core/v1."""

    labelSelector: meta.LabelSelector
    name: str
    optional: bool
    path: str
    signerName: str
    user: int


class ConfigMapEnvSource(TypedDict, total=False):
    """ConfigMapEnvSource of core/v1."""

    name: str
    optional: bool


class ConfigMapKeySelector(TypedDict, total=False):
    """ConfigMapKeySelector of core/v1."""

    key: str
    name: str
    optional: bool


class ConfigMapNodeConfigSource(TypedDict, total=False):
    """ConfigMapNodeConfigSource of core/v1."""

    kubeletConfigKey: str
    name: str
    namespace: str
    resourceVersion: str
    uid: str


class ConfigMapProjection(TypedDict, total=False):
    """ConfigMapProjection of core/v1."""

    items: list[KeyToPath]
    name: str
    optional: bool


class ConfigMapVolumeSource(TypedDict, total=False):
    """ConfigMapVolumeSource of core/v1."""

    defaultMode: int
    defaultUser: int
    items: list[KeyToPath]
    name: str
    optional: bool


class Container(TypedDict, total=False):
    """Container of core/v1."""

    args: list[str]
    command: list[str]
    env: list[EnvVar]
    envFrom: list[EnvFromSource]
    image: str
    imagePullPolicy: str
    lifecycle: Lifecycle
    livenessProbe: Probe
    name: str
    ports: list[ContainerPort]
    readinessProbe: Probe
    resizePolicy: list[ContainerResizePolicy]
    resources: ResourceRequirements
    restartPolicy: str
    restartPolicyRules: list[ContainerRestartRule]
    securityContext: SecurityContext
    startupProbe: Probe
    stdin: bool
    stdinOnce: bool
    terminationMessagePath: str
    terminationMessagePolicy: str
    tty: bool
    volumeDevices: list[VolumeDevice]
    volumeMounts: list[VolumeMount]
    workingDir: str


class ContainerExtendedResourceRequest(TypedDict, total=False):
    """ContainerExtendedResourceRequest of core/v1."""

    containerName: str
    requestName: str
    resourceName: str


class ContainerImage(TypedDict, total=False):
    """ContainerImage of core/v1."""

    names: list[str]
    sizeBytes: int


class ContainerPort(TypedDict, total=False):
    """ContainerPort of core/v1."""

    containerPort: int
    hostIP: str
    hostPort: int
    name: str
    protocol: str


class ContainerResizePolicy(TypedDict, total=False):
    """ContainerResizePolicy of core/v1."""

    resourceName: str
    restartPolicy: str


class ContainerRestartRule(TypedDict, total=False):
    """ContainerRestartRule of core/v1."""

    action: str
    exitCodes: ContainerRestartRuleOnExitCodes


class ContainerRestartRuleOnExitCodes(TypedDict, total=False):
    """ContainerRestartRuleOnExitCodes of core/v1."""

    operator: str
    values: list[int]


class ContainerState(TypedDict, total=False):
    """ContainerState of core/v1."""

    running: ContainerStateRunning
    terminated: ContainerStateTerminated
    waiting: ContainerStateWaiting


class ContainerStateRunning(TypedDict, total=False):
    """ContainerStateRunning of core/v1."""

    startedAt: str


class ContainerStateTerminated(TypedDict, total=False):
    """ContainerStateTerminated of core/v1."""

    containerID: str
    exitCode: int
    finishedAt: str
    message: str
    reason: str
    signal: int
    startedAt: str


class ContainerStateWaiting(TypedDict, total=False):
    """ContainerStateWaiting of core/v1."""

    message: str
    reason: str


class ContainerStatus(TypedDict, total=False):
    """ContainerStatus of core/v1."""

    allocatedResources: dict[str, str]
    allocatedResourcesStatus: list[ResourceStatus]
    containerID: str
    image: str
    imageID: str
    lastState: ContainerState
    name: str
    ready: bool
    resources: ResourceRequirements
    restartCount: int
    started: bool
    state: ContainerState
    stopSignal: str
    user: ContainerUser
    volumeMounts: list[VolumeMountStatus]


class ContainerUser(TypedDict, total=False):
    """ContainerUser of core/v1."""

    linux: LinuxContainerUser


class DaemonEndpoint(TypedDict, total=False):
    """DaemonEndpoint of core/v1."""

    Port: int


class DownwardAPIProjection(TypedDict, total=False):
    """DownwardAPIProjection of core/v1."""

    items: list[DownwardAPIVolumeFile]


class DownwardAPIVolumeFile(TypedDict, total=False):
    """DownwardAPIVolumeFile of core/v1."""

    fieldRef: ObjectFieldSelector
    mode: int
    path: str
    resourceFieldRef: ResourceFieldSelector
    user: int


class DownwardAPIVolumeSource(TypedDict, total=False):
    """DownwardAPIVolumeSource of core/v1."""

    defaultMode: int
    defaultUser: int
    items: list[DownwardAPIVolumeFile]


class EmptyDirVolumeSource(TypedDict, total=False):
    """EmptyDirVolumeSource of core/v1."""

    medium: str
    mode: int
    sizeLimit: str


class EnvFromSource(TypedDict, total=False):
    """EnvFromSource of core/v1."""

    configMapRef: ConfigMapEnvSource
    prefix: str
    secretRef: SecretEnvSource


class EnvVar(TypedDict, total=False):
    """EnvVar of core/v1."""

    name: str
    value: str
    valueFrom: EnvVarSource


class EnvVarSource(TypedDict, total=False):
    """EnvVarSource of core/v1."""

    configMapKeyRef: ConfigMapKeySelector
    fieldRef: ObjectFieldSelector
    fileKeyRef: FileKeySelector
    resourceFieldRef: ResourceFieldSelector
    secretKeyRef: SecretKeySelector


class EphemeralContainer(TypedDict, total=False):
    """EphemeralContainer of core/v1."""

    args: list[str]
    command: list[str]
    env: list[EnvVar]
    envFrom: list[EnvFromSource]
    image: str
    imagePullPolicy: str
    lifecycle: Lifecycle
    livenessProbe: Probe
    name: str
    ports: list[ContainerPort]
    readinessProbe: Probe
    resizePolicy: list[ContainerResizePolicy]
    resources: ResourceRequirements
    restartPolicy: str
    restartPolicyRules: list[ContainerRestartRule]
    securityContext: SecurityContext
    startupProbe: Probe
    stdin: bool
    stdinOnce: bool
    targetContainerName: str
    terminationMessagePath: str
    terminationMessagePolicy: str
    tty: bool
    volumeDevices: list[VolumeDevice]
    volumeMounts: list[VolumeMount]
    workingDir: str


class EphemeralVolumeSource(TypedDict, total=False):
    """EphemeralVolumeSource of core/v1."""

    volumeClaimTemplate: PersistentVolumeClaimTemplate


class EvictionResponder(TypedDict, total=False):
    """EvictionResponder of core/v1."""

    name: str
    priority: int


class ExecAction(TypedDict, total=False):
    """ExecAction of core/v1."""

    command: list[str]


class FCVolumeSource(TypedDict, total=False):
    """FCVolumeSource of core/v1."""

    fsType: str
    lun: int
    readOnly: bool
    targetWWNs: list[str]
    wwids: list[str]


class FileKeySelector(TypedDict, total=False):
    """FileKeySelector of core/v1."""

    key: str
    optional: bool
    path: str
    volumeName: str


class FlexVolumeSource(TypedDict, total=False):
    """FlexVolumeSource of core/v1."""

    driver: str
    fsType: str
    options: dict[str, str]
    readOnly: bool
    secretRef: LocalObjectReference


class FlockerVolumeSource(TypedDict, total=False):
    """FlockerVolumeSource of core/v1."""

    datasetName: str
    datasetUUID: str


class GCEPersistentDiskVolumeSource(TypedDict, total=False):
    """GCEPersistentDiskVolumeSource of core/v1."""

    fsType: str
    partition: int
    pdName: str
    readOnly: bool


class GRPCAction(TypedDict, total=False):
    """GRPCAction of core/v1."""

    mode: str
    port: int
    service: str


class GitRepoVolumeSource(TypedDict, total=False):
    """GitRepoVolumeSource of core/v1."""

    directory: str
    repository: str
    revision: str


class GlusterfsVolumeSource(TypedDict, total=False):
    """GlusterfsVolumeSource of core/v1."""

    endpoints: str
    path: str
    readOnly: bool


class HTTPGetAction(TypedDict, total=False):
    """HTTPGetAction of core/v1."""

    host: str
    httpHeaders: list[HTTPHeader]
    path: str
    port: int | str
    protocol: str
    scheme: str


class HTTPHeader(TypedDict, total=False):
    """HTTPHeader of core/v1."""

    name: str
    value: str


class HostAlias(TypedDict, total=False):
    """HostAlias of core/v1."""

    hostnames: list[str]
    ip: str


class HostIP(TypedDict, total=False):
    """HostIP of core/v1."""

    ip: str


class HostPathVolumeSource(TypedDict, total=False):
    """HostPathVolumeSource of core/v1."""

    path: str
    type: str


class ISCSIVolumeSource(TypedDict, total=False):
    """ISCSIVolumeSource of core/v1."""

    chapAuthDiscovery: bool
    chapAuthSession: bool
    fsType: str
    initiatorName: str
    iqn: str
    iscsiInterface: str
    lun: int
    portals: list[str]
    readOnly: bool
    secretRef: LocalObjectReference
    targetPortal: str


class ImageVolumeSource(TypedDict, total=False):
    """ImageVolumeSource of core/v1."""

    pullPolicy: str
    reference: str


class ImageVolumeStatus(TypedDict, total=False):
    """ImageVolumeStatus of core/v1."""

    imageRef: str


class KeyToPath(TypedDict, total=False):
    """KeyToPath of core/v1."""

    key: str
    mode: int
    path: str
    user: int


class Lifecycle(TypedDict, total=False):
    """Lifecycle of core/v1."""

    postStart: LifecycleHandler
    preStop: LifecycleHandler
    stopSignal: str


class LifecycleHandler(TypedDict, total=False):
    """LifecycleHandler of core/v1."""

    exec: ExecAction
    httpGet: HTTPGetAction
    sleep: SleepAction
    tcpSocket: TCPSocketAction


class LinuxContainerUser(TypedDict, total=False):
    """LinuxContainerUser of core/v1."""

    gid: int
    supplementalGroups: list[int]
    uid: int


class LocalObjectReference(TypedDict, total=False):
    """LocalObjectReference of core/v1."""

    name: str


class ModifyVolumeStatus(TypedDict, total=False):
    """ModifyVolumeStatus of core/v1."""

    status: str
    targetVolumeAttributesClassName: str


class NFSVolumeSource(TypedDict, total=False):
    """NFSVolumeSource of core/v1."""

    path: str
    readOnly: bool
    server: str


class Namespace(TypedDict, total=False):
    """Namespace of core/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: NamespaceSpec
    status: NamespaceStatus


class NamespaceCondition(TypedDict, total=False):
    """NamespaceCondition of core/v1."""

    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class NamespaceSpec(TypedDict, total=False):
    """NamespaceSpec of core/v1."""

    finalizers: list[str]


class NamespaceStatus(TypedDict, total=False):
    """NamespaceStatus of core/v1."""

    conditions: list[NamespaceCondition]
    phase: str


class Node(TypedDict, total=False):
    """Node of core/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: NodeSpec
    status: NodeStatus


class NodeAddress(TypedDict, total=False):
    """NodeAddress of core/v1."""

    address: str
    type: str


class NodeAffinity(TypedDict, total=False):
    """NodeAffinity of core/v1."""

    preferredDuringSchedulingIgnoredDuringExecution: list[PreferredSchedulingTerm]
    requiredDuringSchedulingIgnoredDuringExecution: NodeSelector


class NodeAllocatableMappedResources(TypedDict, total=False):
    """NodeAllocatableMappedResources of core/v1."""

    name: str
    quantity: str


class NodeAllocatableOverheadResources(TypedDict, total=False):
    """NodeAllocatableOverheadResources of core/v1."""

    name: str
    perContainer: str
    perPod: str


class NodeAllocatableResourceClaimStatus(TypedDict, total=False):
    """NodeAllocatableResourceClaimStatus of core/v1."""

    containers: list[str]
    mapping: list[NodeAllocatableMappedResources]
    overhead: list[NodeAllocatableOverheadResources]
    resourceClaimName: str
    resources: dict[str, str]


class NodeCondition(TypedDict, total=False):
    """NodeCondition of core/v1."""

    lastHeartbeatTime: str
    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class NodeConfigSource(TypedDict, total=False):
    """NodeConfigSource of core/v1."""

    configMap: ConfigMapNodeConfigSource


class NodeConfigStatus(TypedDict, total=False):
    """NodeConfigStatus of core/v1."""

    active: NodeConfigSource
    assigned: NodeConfigSource
    error: str
    lastKnownGood: NodeConfigSource


class NodeDaemonEndpoints(TypedDict, total=False):
    """NodeDaemonEndpoints of core/v1."""

    kubeletEndpoint: DaemonEndpoint


class NodeFeatures(TypedDict, total=False):
    """NodeFeatures of core/v1."""

    supplementalGroupsPolicy: bool


class NodePodPreemptionPolicy(TypedDict, total=False):
    """NodePodPreemptionPolicy of core/v1."""

    disableResizePreemption: list[str]


class NodeRuntimeHandler(TypedDict, total=False):
    """NodeRuntimeHandler of core/v1."""

    features: NodeRuntimeHandlerFeatures
    name: str


class NodeRuntimeHandlerFeatures(TypedDict, total=False):
    """NodeRuntimeHandlerFeatures of core/v1."""

    recursiveReadOnlyMounts: bool
    userNamespaces: bool


class NodeSelector(TypedDict, total=False):
    """NodeSelector of core/v1."""

    nodeSelectorTerms: list[NodeSelectorTerm]


class NodeSelectorRequirement(TypedDict, total=False):
    """NodeSelectorRequirement of core/v1."""

    key: str
    operator: str
    values: list[str]


class NodeSelectorTerm(TypedDict, total=False):
    """NodeSelectorTerm of core/v1."""

    matchExpressions: list[NodeSelectorRequirement]
    matchFields: list[NodeSelectorRequirement]


class NodeSpec(TypedDict, total=False):
    """NodeSpec of core/v1."""

    configSource: NodeConfigSource
    externalID: str
    podCIDR: str
    podCIDRs: list[str]
    podPreemptionPolicy: NodePodPreemptionPolicy
    providerID: str
    taints: list[Taint]
    unschedulable: bool


class NodeStatus(TypedDict, total=False):
    """NodeStatus of core/v1."""

    addresses: list[NodeAddress]
    allocatable: dict[str, str]
    capacity: dict[str, str]
    conditions: list[NodeCondition]
    config: NodeConfigStatus
    daemonEndpoints: NodeDaemonEndpoints
    declaredFeatures: list[str]
    features: NodeFeatures
    images: list[ContainerImage]
    nodeInfo: NodeSystemInfo
    phase: str
    runtimeHandlers: list[NodeRuntimeHandler]
    volumesAttached: list[AttachedVolume]
    volumesInUse: list[str]


class NodeSwapStatus(TypedDict, total=False):
    """NodeSwapStatus of core/v1."""

    capacity: int


class NodeSystemInfo(TypedDict, total=False):
    """NodeSystemInfo of core/v1."""

    architecture: str
    bootID: str
    containerRuntimeVersion: str
    kernelVersion: str
    kubeProxyVersion: str
    kubeletVersion: str
    machineID: str
    operatingSystem: str
    osImage: str
    runningInUserNamespace: bool
    swap: NodeSwapStatus
    systemUUID: str


class ObjectFieldSelector(TypedDict, total=False):
    """ObjectFieldSelector of core/v1."""

    apiVersion: str
    fieldPath: str


class ObjectReference(TypedDict, total=False):
    """ObjectReference of core/v1."""

    apiVersion: str
    fieldPath: str
    kind: str
    name: str
    namespace: str
    resourceVersion: str
    uid: str


class PersistentVolumeClaim(TypedDict, total=False):
    """PersistentVolumeClaim of core/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: PersistentVolumeClaimSpec
    status: PersistentVolumeClaimStatus


class PersistentVolumeClaimCondition(TypedDict, total=False):
    """PersistentVolumeClaimCondition of core/v1."""

    lastProbeTime: str
    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class PersistentVolumeClaimSpec(TypedDict, total=False):
    """PersistentVolumeClaimSpec of core/v1."""

    accessModes: list[str]
    dataSource: TypedLocalObjectReference
    dataSourceRef: TypedObjectReference
    resources: VolumeResourceRequirements
    selector: meta.LabelSelector
    storageClassName: str
    volumeAttributesClassName: str
    volumeMode: str
    volumeName: str


class PersistentVolumeClaimStatus(TypedDict, total=False):
    """PersistentVolumeClaimStatus of core/v1."""

    accessModes: list[str]
    allocatedResourceStatuses: dict[str, str]
    allocatedResources: dict[str, str]
    capacity: dict[str, str]
    conditions: list[PersistentVolumeClaimCondition]
    currentVolumeAttributesClassName: str
    healthStatus: VolumeHealthStatus
    modifyVolumeStatus: ModifyVolumeStatus
    phase: str


class PersistentVolumeClaimTemplate(TypedDict, total=False):
    """PersistentVolumeClaimTemplate of core/v1."""

    metadata: meta.ObjectMeta
    spec: PersistentVolumeClaimSpec


class PersistentVolumeClaimVolumeSource(TypedDict, total=False):
    """PersistentVolumeClaimVolumeSource of core/v1."""

    claimName: str
    readOnly: bool


class PhotonPersistentDiskVolumeSource(TypedDict, total=False):
    """PhotonPersistentDiskVolumeSource of core/v1."""

    fsType: str
    pdID: str


class Pod(TypedDict, total=False):
    """Pod of core/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: PodSpec
    status: PodStatus


class PodAffinity(TypedDict, total=False):
    """PodAffinity of core/v1."""

    preferredDuringSchedulingIgnoredDuringExecution: list[WeightedPodAffinityTerm]
    requiredDuringSchedulingIgnoredDuringExecution: list[PodAffinityTerm]


class PodAffinityTerm(TypedDict, total=False):
    """PodAffinityTerm of core/v1."""

    labelSelector: meta.LabelSelector
    matchLabelKeys: list[str]
    mismatchLabelKeys: list[str]
    namespaceSelector: meta.LabelSelector
    namespaces: list[str]
    topologyKey: str


class PodAntiAffinity(TypedDict, total=False):
    """PodAntiAffinity of core/v1."""

    preferredDuringSchedulingIgnoredDuringExecution: list[WeightedPodAffinityTerm]
    requiredDuringSchedulingIgnoredDuringExecution: list[PodAffinityTerm]


class PodCertificateProjection(TypedDict, total=False):
    """PodCertificateProjection of core/v1."""

    certificateChainPath: str
    credentialBundlePath: str
    keyPath: str
    keyType: str
    maxExpirationSeconds: int
    signerName: str
    user: int
    userAnnotations: dict[str, str]


class PodCondition(TypedDict, total=False):
    """PodCondition of core/v1."""

    lastProbeTime: str
    lastTransitionTime: str
    message: str
    observedGeneration: int
    reason: str
    status: str
    type: str


class PodDNSConfig(TypedDict, total=False):
    """PodDNSConfig of core/v1."""

    nameservers: list[str]
    options: list[PodDNSConfigOption]
    searches: list[str]


class PodDNSConfigOption(TypedDict, total=False):
    """PodDNSConfigOption of core/v1."""

    name: str
    value: str


class PodExtendedResourceClaimStatus(TypedDict, total=False):
    """PodExtendedResourceClaimStatus of core/v1."""

    requestMappings: list[ContainerExtendedResourceRequest]
    resourceClaimName: str


class PodIP(TypedDict, total=False):
    """PodIP of core/v1."""

    ip: str


class PodOS(TypedDict, total=False):
    """PodOS of core/v1."""

    name: str


class PodReadinessGate(TypedDict, total=False):
    """PodReadinessGate of core/v1."""

    conditionType: str


class PodResourceClaim(TypedDict, total=False):
    """PodResourceClaim of core/v1."""

    name: str
    resourceClaimName: str
    resourceClaimTemplateName: str
    source: ClaimSource


class PodResourceClaimStatus(TypedDict, total=False):
    """PodResourceClaimStatus of core/v1."""

    name: str
    resourceClaimName: str


class PodSchedulingGate(TypedDict, total=False):
    """PodSchedulingGate of core/v1."""

    name: str


class PodSchedulingGroup(TypedDict, total=False):
    """PodSchedulingGroup of core/v1."""

    podGroupName: str


class PodSecurityContext(TypedDict, total=False):
    """PodSecurityContext of core/v1."""

    appArmorProfile: AppArmorProfile
    fsGroup: int
    fsGroupChangePolicy: str
    runAsGroup: int
    runAsNonRoot: bool
    runAsUser: int
    seLinuxChangePolicy: str
    seLinuxOptions: SELinuxOptions
    seccompProfile: SeccompProfile
    supplementalGroups: list[int]
    supplementalGroupsPolicy: str
    sysctls: list[Sysctl]
    windowsOptions: WindowsSecurityContextOptions


class PodSpec(TypedDict, total=False):
    """PodSpec of core/v1."""

    activeDeadlineSeconds: int
    affinity: Affinity
    automountServiceAccountToken: bool
    containers: list[Container]
    dnsConfig: PodDNSConfig
    dnsPolicy: str
    enableServiceLinks: bool
    ephemeralContainers: list[EphemeralContainer]
    evictionResponders: list[EvictionResponder]
    hostAliases: list[HostAlias]
    hostIPC: bool
    hostNetwork: bool
    hostPID: bool
    hostUsers: bool
    hostname: str
    hostnameOverride: str
    imagePullSecrets: list[LocalObjectReference]
    initContainers: list[Container]
    nodeName: str
    nodeSelector: dict[str, str]
    os: PodOS
    overhead: dict[str, str]
    preemptionPolicy: str
    priority: int
    priorityClassName: str
    readinessGates: list[PodReadinessGate]
    resourceClaims: list[PodResourceClaim]
    resources: ResourceRequirements
    restartPolicy: str
    runtimeClassName: str
    schedulerName: str
    schedulingGates: list[PodSchedulingGate]
    schedulingGroup: PodSchedulingGroup
    securityContext: PodSecurityContext
    serviceAccount: str
    serviceAccountName: str
    setHostnameAsFQDN: bool
    shareProcessNamespace: bool
    subdomain: str
    terminationGracePeriodSeconds: int
    tolerations: list[Toleration]
    topologySpreadConstraints: list[TopologySpreadConstraint]
    volumes: list[Volume]
    workloadRef: WorkloadReference


class PodStatus(TypedDict, total=False):
    """PodStatus of core/v1."""

    allocatedResources: dict[str, str]
    conditions: list[PodCondition]
    containerStatuses: list[ContainerStatus]
    ephemeralContainerStatuses: list[ContainerStatus]
    extendedResourceClaimStatus: PodExtendedResourceClaimStatus
    hostIP: str
    hostIPs: list[HostIP]
    initContainerStatuses: list[ContainerStatus]
    message: str
    nodeAllocatableResourceClaimStatuses: list[NodeAllocatableResourceClaimStatus]
    nominatedNodeName: str
    observedGeneration: int
    phase: str
    podIP: str
    podIPs: list[PodIP]
    qosClass: str
    reason: str
    resize: str
    resourceClaimStatuses: list[PodResourceClaimStatus]
    resources: ResourceRequirements
    startTime: str
    volumeHealth: list[PodVolumeHealth]


class PodTemplate(TypedDict, total=False):
    """PodTemplate of core/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    template: PodTemplateSpec


class PodTemplateSpec(TypedDict, total=False):
    """PodTemplateSpec of core/v1."""

    metadata: meta.ObjectMeta
    spec: PodSpec


class PodVolumeHealth(TypedDict, total=False):
    """PodVolumeHealth of core/v1."""

    healthConditions: list[VolumeHealthCondition]
    lastTransitionTime: str
    name: str


class PortworxVolumeSource(TypedDict, total=False):
    """PortworxVolumeSource of core/v1."""

    fsType: str
    readOnly: bool
    volumeID: str


class PreferredSchedulingTerm(TypedDict, total=False):
    """PreferredSchedulingTerm of core/v1."""

    preference: NodeSelectorTerm
    weight: int


class Probe(TypedDict, total=False):
    """Probe of core/v1."""

    exec: ExecAction
    failureThreshold: int
    grpc: GRPCAction
    httpGet: HTTPGetAction
    initialDelaySeconds: int
    periodSeconds: int
    successThreshold: int
    tcpSocket: TCPSocketAction
    terminationGracePeriodSeconds: int
    timeoutSeconds: int


class ProjectedVolumeSource(TypedDict, total=False):
    """ProjectedVolumeSource of core/v1."""

    defaultMode: int
    defaultUser: int
    sources: list[VolumeProjection]


class QuobyteVolumeSource(TypedDict, total=False):
    """QuobyteVolumeSource of core/v1."""

    group: str
    readOnly: bool
    registry: str
    tenant: str
    user: str
    volume: str


class RBDVolumeSource(TypedDict, total=False):
    """RBDVolumeSource of core/v1."""

    fsType: str
    image: str
    keyring: str
    monitors: list[str]
    pool: str
    readOnly: bool
    secretRef: LocalObjectReference
    user: str


class ReplicationController(TypedDict, total=False):
    """ReplicationController of core/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: ReplicationControllerSpec
    status: ReplicationControllerStatus


class ReplicationControllerCondition(TypedDict, total=False):
    """ReplicationControllerCondition of core/v1."""

    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class ReplicationControllerSpec(TypedDict, total=False):
    """ReplicationControllerSpec of core/v1."""

    minReadySeconds: int
    replicas: int
    selector: dict[str, str]
    template: PodTemplateSpec


class ReplicationControllerStatus(TypedDict, total=False):
    """ReplicationControllerStatus of core/v1."""

    availableReplicas: int
    conditions: list[ReplicationControllerCondition]
    fullyLabeledReplicas: int
    observedGeneration: int
    readyReplicas: int
    replicas: int


class ResourceClaim(TypedDict, total=False):
    """ResourceClaim of core/v1."""

    name: str
    request: str


class ResourceFieldSelector(TypedDict, total=False):
    """ResourceFieldSelector of core/v1."""

    containerName: str
    divisor: str
    resource: str


class ResourceHealth(TypedDict, total=False):
    """ResourceHealth of core/v1."""

    health: str
    message: str
    resourceID: str


class ResourceRequirements(TypedDict, total=False):
    """ResourceRequirements of core/v1."""

    claims: list[ResourceClaim]
    limits: dict[str, str]
    requests: dict[str, str]


class ResourceStatus(TypedDict, total=False):
    """ResourceStatus of core/v1."""

    name: str
    resources: list[ResourceHealth]


class SELinuxOptions(TypedDict, total=False):
    """SELinuxOptions of core/v1."""

    level: str
    role: str
    type: str
    user: str


class ScaleIOVolumeSource(TypedDict, total=False):
    """ScaleIOVolumeSource of core/v1."""

    fsType: str
    gateway: str
    protectionDomain: str
    readOnly: bool
    secretRef: LocalObjectReference
    sslEnabled: bool
    storageMode: str
    storagePool: str
    system: str
    volumeName: str


class SeccompProfile(TypedDict, total=False):
    """SeccompProfile of core/v1."""

    localhostProfile: str
    oci: SecurityProfileOCI
    type: str


class SecretEnvSource(TypedDict, total=False):
    """SecretEnvSource of core/v1."""

    name: str
    optional: bool


class SecretKeySelector(TypedDict, total=False):
    """SecretKeySelector of core/v1."""

    key: str
    name: str
    optional: bool


class SecretProjection(TypedDict, total=False):
    """SecretProjection of core/v1."""

    items: list[KeyToPath]
    name: str
    optional: bool


class SecretVolumeSource(TypedDict, total=False):
    """SecretVolumeSource of core/v1."""

    defaultMode: int
    defaultUser: int
    items: list[KeyToPath]
    optional: bool
    secretName: str


class SecurityContext(TypedDict, total=False):
    """SecurityContext of core/v1."""

    allowPrivilegeEscalation: bool
    appArmorProfile: AppArmorProfile
    capabilities: Capabilities
    privileged: bool
    procMount: str
    readOnlyRootFilesystem: bool
    runAsGroup: int
    runAsNonRoot: bool
    runAsUser: int
    seLinuxOptions: SELinuxOptions
    seccompProfile: SeccompProfile
    windowsOptions: WindowsSecurityContextOptions


class SecurityProfileOCI(TypedDict, total=False):
    """SecurityProfileOCI of core/v1."""

    baseProfile: SecurityProfileOCIBase
    ref: str


class SecurityProfileOCIBase(TypedDict, total=False):
    """SecurityProfileOCIBase of core/v1."""

    localhostProfile: str
    type: str


class ServiceAccountTokenProjection(TypedDict, total=False):
    """ServiceAccountTokenProjection of core/v1."""

    audience: str
    expirationSeconds: int
    path: str
    user: int


class SleepAction(TypedDict, total=False):
    """SleepAction of core/v1."""

    seconds: int


class StorageOSVolumeSource(TypedDict, total=False):
    """StorageOSVolumeSource of core/v1."""

    fsType: str
    readOnly: bool
    secretRef: LocalObjectReference
    volumeName: str
    volumeNamespace: str


class Sysctl(TypedDict, total=False):
    """Sysctl of core/v1."""

    name: str
    value: str


class TCPSocketAction(TypedDict, total=False):
    """TCPSocketAction of core/v1."""

    host: str
    port: int | str


class Taint(TypedDict, total=False):
    """Taint of core/v1."""

    effect: str
    key: str
    timeAdded: str
    value: str


class Toleration(TypedDict, total=False):
    """Toleration of core/v1."""

    effect: str
    key: str
    operator: str
    tolerationSeconds: int
    value: str


class TopologySpreadConstraint(TypedDict, total=False):
    """TopologySpreadConstraint of core/v1."""

    labelSelector: meta.LabelSelector
    matchLabelKeys: list[str]
    maxSkew: int
    minDomains: int
    nodeAffinityPolicy: str
    nodeTaintsPolicy: str
    topologyKey: str
    whenUnsatisfiable: str


class TypedLocalObjectReference(TypedDict, total=False):
    """TypedLocalObjectReference of core/v1."""

    apiGroup: str
    kind: str
    name: str


class TypedObjectReference(TypedDict, total=False):
    """TypedObjectReference of core/v1."""

    apiGroup: str
    kind: str
    name: str
    namespace: str


class Volume(TypedDict, total=False):
    """Volume of core/v1."""

    awsElasticBlockStore: AWSElasticBlockStoreVolumeSource
    azureDisk: AzureDiskVolumeSource
    azureFile: AzureFileVolumeSource
    cephfs: CephFSVolumeSource
    cinder: CinderVolumeSource
    configMap: ConfigMapVolumeSource
    csi: CSIVolumeSource
    downwardAPI: DownwardAPIVolumeSource
    emptyDir: EmptyDirVolumeSource
    ephemeral: EphemeralVolumeSource
    fc: FCVolumeSource
    flexVolume: FlexVolumeSource
    flocker: FlockerVolumeSource
    gcePersistentDisk: GCEPersistentDiskVolumeSource
    gitRepo: GitRepoVolumeSource
    glusterfs: GlusterfsVolumeSource
    hostPath: HostPathVolumeSource
    image: ImageVolumeSource
    iscsi: ISCSIVolumeSource
    name: str
    nfs: NFSVolumeSource
    persistentVolumeClaim: PersistentVolumeClaimVolumeSource
    photonPersistentDisk: PhotonPersistentDiskVolumeSource
    portworxVolume: PortworxVolumeSource
    projected: ProjectedVolumeSource
    quobyte: QuobyteVolumeSource
    rbd: RBDVolumeSource
    scaleIO: ScaleIOVolumeSource
    secret: SecretVolumeSource
    storageos: StorageOSVolumeSource
    vsphereVolume: VsphereVirtualDiskVolumeSource


class VolumeDevice(TypedDict, total=False):
    """VolumeDevice of core/v1."""

    devicePath: str
    name: str


class VolumeHealthCondition(TypedDict, total=False):
    """VolumeHealthCondition of core/v1."""

    message: str
    reason: str
    status: str


class VolumeHealthStatus(TypedDict, total=False):
    """VolumeHealthStatus of core/v1."""

    healthConditions: list[VolumeHealthCondition]
    lastTransitionTime: str


class VolumeMount(TypedDict, total=False):
    """VolumeMount of core/v1."""

    bindMountOptions: list[str]
    mountPath: str
    mountPropagation: str
    name: str
    readOnly: bool
    recursiveReadOnly: str
    subPath: str
    subPathExpr: str


class VolumeMountStatus(TypedDict, total=False):
    """VolumeMountStatus of core/v1."""

    mountPath: str
    name: str
    readOnly: bool
    recursiveReadOnly: str
    volumeStatus: VolumeStatus


class VolumeProjection(TypedDict, total=False):
    """VolumeProjection of core/v1."""

    clusterTrustBundle: ClusterTrustBundleProjection
    configMap: ConfigMapProjection
    downwardAPI: DownwardAPIProjection
    podCertificate: PodCertificateProjection
    secret: SecretProjection
    serviceAccountToken: ServiceAccountTokenProjection


class VolumeResourceRequirements(TypedDict, total=False):
    """VolumeResourceRequirements of core/v1."""

    limits: dict[str, str]
    requests: dict[str, str]


class VolumeStatus(TypedDict, total=False):
    """VolumeStatus of core/v1."""

    image: ImageVolumeStatus


class VsphereVirtualDiskVolumeSource(TypedDict, total=False):
    """VsphereVirtualDiskVolumeSource of core/v1."""

    fsType: str
    storagePolicyID: str
    storagePolicyName: str
    volumePath: str


class WeightedPodAffinityTerm(TypedDict, total=False):
    """WeightedPodAffinityTerm of core/v1."""

    podAffinityTerm: PodAffinityTerm
    weight: int


class WindowsSecurityContextOptions(TypedDict, total=False):
    """WindowsSecurityContextOptions of core/v1."""

    gmsaCredentialSpec: str
    gmsaCredentialSpecName: str
    hostProcess: bool
    runAsUserName: str


class WorkloadReference(TypedDict, total=False):
    """WorkloadReference of core/v1."""

    name: str
    podGroup: str
    podGroupReplicaKey: str
