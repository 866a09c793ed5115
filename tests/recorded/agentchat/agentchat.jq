# What the manager publishes on the topic of a member gives it the turn; what a member publishes for the group is for all.
# The call of a tool is a line with its result.
if .type == "ToolCall" then
  { conversation: (.agent_id | sub(".*/"; "")) } as $line
  | (.agent_id | sub("_.*"; "")) as $agent
  | ($line + { from: $agent, to: ["tools"], performative: .tool_name, args: [.arguments] }),
    ($line + { from: "tools", to: [$agent], performative: "found", args: [.result] })
else
select(.type == "Message" and .kind == "MessageKind.PUBLISH" and .delivery_stage == "DeliveryStage.SEND")
| (.sender // "" | sub("_.*"; "")) as $from
| (.receiver | sub("/.*"; "")) as $topic
| (.payload | fromjson? // null) as $payload
| { conversation: (.receiver | sub(".*/"; "")) } as $line
| if $from == "RoundRobinGroupChatManager" and $payload == {} then
    $line + { from: "manager", to: [$topic | sub("_.*"; "")], performative: "turn" }
  elif ($topic | startswith("group_topic")) and $payload.response then
    $payload.response.chat_message as $said
    | $line + { from: $said.source, to: "*" }
      + if $said.source == "writer" then { performative: "draft", args: [$said.content] }
        elif $said.content == "AGREED" then { performative: "agreed" }
        else { performative: "change", args: [$said.content] } end
  else null end
end
