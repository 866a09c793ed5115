"""Writes the spans of OpenTelemetry's SDK as OTLP in JSON, one a line, as they end."""

import json

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

KINDS = {str: "stringValue", bool: "boolValue", int: "intValue", float: "doubleValue"}


class Lines(SpanExporter):
    def export(self, spans):
        for span in spans:
            print(json.dumps(line(span)))
        return SpanExportResult.SUCCESS


def attributes(of):
    def value(it):
        return {KINDS.get(type(it), "stringValue"): it if isinstance(it, (bool, float)) else str(it)}

    return [{"key": key, "value": value(it)} for key, it in (of or {}).items()]


def line(span):
    one = {
        "traceId": f"{span.context.trace_id:032x}",
        "spanId": f"{span.context.span_id:016x}",
        "name": span.name,
        "kind": span.kind.value + 1,
        "startTimeUnixNano": str(span.start_time),
        "endTimeUnixNano": str(span.end_time),
        "attributes": attributes(span.attributes),
        "status": {"code": span.status.status_code.value},
    }
    if span.parent:
        one["parentSpanId"] = f"{span.parent.span_id:016x}"
    scope = {"scope": {"name": span.instrumentation_scope.name}, "spans": [one]}
    resource = {"attributes": attributes(span.resource.attributes)}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def print_spans_of(service):
    """All spans from here on are printed."""
    provider = TracerProvider(resource=Resource({"service.name": service}))
    provider.add_span_processor(SimpleSpanProcessor(Lines()))
    trace.set_tracer_provider(provider)
