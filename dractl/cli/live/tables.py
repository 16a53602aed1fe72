"""``kubectl dra devices`` and ``kubectl dra claims``: what the cluster has."""

from __future__ import annotations

from dractl.cli.live.cluster import Live, Shown, show, watch
from dractl.cli.live.options import ClaimsOptions, DevicesOptions
from dractl.cli.terminal import format_named
from dractl.report.live import formats
from dractl.report.style import Style

__all__ = ["claims", "devices"]


def devices(options: DevicesOptions) -> int:
    """List the devices of the cluster, and answer the exit code. Raises UsageError."""
    from dractl.observing.devices import devices_of

    chosen = format_named(options.report_format, formats.DEVICES)

    def result(live: Live, style: Style) -> Shown:
        found = devices_of(live.loaded, live.state.release.gates, node=options.node, driver=options.driver)
        return Shown(chosen.render(found, style, quiet=options.quiet))

    return watch(options, options.interval, result) if options.watch else show(options, result)


def claims(options: ClaimsOptions) -> int:
    """List the claims of a namespace or of the cluster, and answer the exit code. Raises UsageError."""
    from dractl.observing.claims import claims_of

    chosen = format_named(options.report_format, formats.CLAIMS)

    def result(live: Live, style: Style) -> Shown:
        namespace = None if options.all_namespaces else live.namespace
        found = claims_of(live.loaded, live.state.release.gates, namespace)
        return Shown(chosen.render(found, style, quiet=options.quiet))

    return watch(options, options.interval, result) if options.watch else show(options, result)
