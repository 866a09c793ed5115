# Requests and answers of A2A 1.0 behind a recording proxy.
def args: [.parts[]? | .data // .text];

"\(.client) \(.server) \(.body.id)" as $call
| {time, from: .client, to: [.server]} as $request
| {time, from: .server, to: [.client], recall: $call} as $answer
| .body
| if any(.method == ("SendMessage", "SendStreamingMessage"); .) then
    .params.message
    | $request + {
        id: .messageId,
        conversation: .contextId,
        performative: (.metadata.performative // "ask"),
        args: args,
        remember: $call
      }
  elif .method then
    # Its answer is no message either.
    {remember: $call}
  elif .result.task or .result.statusUpdate then
    (.result.task // .result.statusUpdate)
    | (.status.message // {}) as $said
    | $answer + {conversation: .contextId}
    + if $said.metadata.performative then
        {performative: $said.metadata.performative, args: ($said | args)}
      else
        {performative: (.status.state | ltrimstr("TASK_STATE_") | ascii_downcase)}
      end
  elif .error then
    $answer + {performative: "error", args: [.error.code]}
  else
    empty
  end
