# Events of autogen_core: an agent is its type and its key, and the key is the conversation.
select(.type == "Message" and .receiver)
| (.payload | fromjson? // {}) as $said
| (.receiver / "/") as [$to, $conversation]
| {
    time,
    event: {"DeliveryStage.SEND": "send", "DeliveryStage.DELIVER": "receive"}[.delivery_stage],
    $conversation,
    from: ((.sender // "user") / "/")[0],
    $to,
    performative: ($said.performative // $said.type // "message"),
    args: ($said.args // [])
  }
