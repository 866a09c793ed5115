# Calls of tools, and their results.
"\(.session) \(.body.id)" as $call
| {time, conversation: .session, from: .client, to: .server} as $request
| {time, conversation: .session, from: .server, to: .client, recall: $call} as $answer
| .body
| if .method == "tools/call" then
    $request + {
      performative: .params.name,
      args: [.params.arguments // {} | to_entries | sort_by(.key)[].value],
      remember: $call
    }
  elif .method and .id then
    {remember: $call}
  elif .result.content then
    $answer + {
      performative: (if .result.isError then "failed" else "result" end),
      args: [.result.content[].text]
    }
  else
    empty
  end
