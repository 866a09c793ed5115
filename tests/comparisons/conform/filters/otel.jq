# Spans of A2A clients: each is a request and its answer.
def attributes: [.attributes[]? | {(.key): (.value.stringValue // .value.intValue)}] | add // {};

.resourceSpans[]
| (.resource | attributes) as $service
| .scopeSpans[].spans[]
| ($service + attributes) as $a
| select(.kind == 3 and $a["a2a.method.name"] == "SendMessage")
| ($a["service.name"] // "client") as $client
| $a["gen_ai.agent.name"] as $server
| {conversation: $a["gen_ai.conversation.id"]}
+ (
    {
      time: (.startTimeUnixNano | tonumber),
      id: $a["a2a.message.id"],
      from: $client,
      to: $server,
      performative: "ask"
    },
    {
      time: (.endTimeUnixNano | tonumber),
      from: $server,
      to: $client,
      performative: ($a["a2a.task.state"] // "answer" | ltrimstr("TASK_STATE_") | ascii_downcase)
    }
  )
