# A task that begins is a message to its node, and its result is one to the supervisor. The graph itself plays the user:
# it asks by the first task of the supervisor, and hears what there is in the end.
{ time, conversation: .thread } as $line
| .event as $event
| if .mode == "end" then
    $line + { from: "supervisor", to: ["user"], performative: "answer", args: [$event.messages[-1].content] }
  elif $event.name == "supervisor" then
    if $event.input.messages[-1].name == "user"
    then $line + { from: "user", to: ["supervisor"], performative: "ask", args: [$event.input.messages[-1].content] }
    else null end
  elif $event.input then
    $line + { from: "supervisor", to: [$event.name], performative: "run", args: [$event.input.messages[-1].content] }
  else
    $line + { from: $event.name, to: ["supervisor"], performative: "result", args: [$event.result.messages[-1].content] }
  end
