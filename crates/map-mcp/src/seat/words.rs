//! What a guard answers, in words.

use serde_json::Value as Json;

use map_explain::conformance::rfc3339;

use super::Seat;

/// What an agent is told first: who it is, how it takes part, and what it may do.
pub(crate) fn instructions(seat: &Seat, offer: &Json) -> String {
    let Seat { name, file, scene, .. } = seat;
    format!(
        "You are `{name}` in the dialogue {scene} of {file}. All messages to the others pass a guard, which delivers only \
         what the dialogue allows. `may_i` tells what you may send now; `send` sends, and a refusal says what you may send \
         instead; `receive` waits for messages; `owe` tells who owes what. Go on until you neither owe anything nor wait \
         for anything.\n\n{}",
        offer_in_words(offer)
    )
}

/// An answer.
pub(crate) fn in_words(answer: &Json) -> String {
    if let Some(accepted) = answer.get("accepted") {
        return accepted_in_words(accepted);
    }
    if let Some(refused) = answer.get("refused") {
        return refusal_in_words(refused);
    }
    if let Some(received) = answer.get("received") {
        return received_in_words(received, answer.get("offer"));
    }
    if let Some(offer) = answer.get("offer") {
        return offer_in_words(offer);
    }
    if let Some(owed) = answer.get("owed") {
        return debts_in_words(owed);
    }
    match answer["error"]["text"].as_str() {
        Some(text) => format!("This cannot be done: {text}.\n"),
        None => "The guard gave an answer that this version does not know.\n".to_owned(),
    }
}

fn accepted_in_words(accepted: &Json) -> String {
    let mut text = match accepted["seq"].as_u64() {
        Some(seq) => format!("Delivered, as number {seq}.\n"),
        None => "It would be delivered.\n".to_owned(),
    };
    if accepted["certain"] == Json::Bool(false) {
        text += "It fits if values are right that nobody has seen.\n";
    }
    if accepted["unguarded"] == Json::Bool(true) {
        text += "It is not judged: the guard has lost track.\n";
    }
    text
}

fn refusal_in_words(refused: &Json) -> String {
    let mut text = format!(
        "Refused ({}): {}. Nothing was sent.\n",
        refused["kind"].as_str().unwrap_or_default(),
        refused["text"].as_str().unwrap_or_default(),
    );
    let unread = list(&refused["unread"]);
    if !unread.is_empty() {
        text += "You have not yet seen:\n";
        text.extend(unread.iter().map(item_in_words));
    }
    let names = texts(&refused["waits_for"]);
    if !names.is_empty() {
        text += &format!("First it is the turn of {}.\n", names.join(", "));
    }
    if refused.get("may").is_some() {
        text += &offer_in_words(refused);
    }
    text
}

fn received_in_words(received: &Json, offer: Option<&Json>) -> String {
    let items = list(&received["items"]);
    if !items.is_empty() {
        return items.iter().map(item_in_words).collect();
    }
    let debt = received.get("debt").filter(|debt| !debt.is_null());
    let offer = debt.or(offer).map(offer_in_words).unwrap_or_default();
    format!("Nothing has arrived.\n{offer}")
}

fn item_in_words(item: &Json) -> String {
    match item["timeout"].as_str() {
        Some(place) => format!("- time has run out for you, at {place}\n"),
        None => {
            let args: Vec<String> = list(&item["args"]).iter().map(Json::to_string).collect();
            let (performative, from) = (&item["performative"], &item["from"]);
            let [performative, from] = [performative, from].map(|text| text.as_str().unwrap_or_default());
            format!("- {performative}({}) from {from}\n", args.join(", "))
        }
    }
}

fn offer_in_words(offer: &Json) -> String {
    let may = list(&offer["may"]);
    let owes = offer["owes"] == Json::Bool(true);
    let mut text = match (owes, may.is_empty()) {
        (true, _) => "You owe a message: one of\n",
        (false, false) => "You may send\n",
        (false, true) => "You can send nothing now.\n",
    }
    .to_owned();
    text.extend(may.iter().map(suggestion_in_words));
    let awaited = texts(&offer["waits_for_messages"]);
    if !awaited.is_empty() {
        text += &format!("You may wait for {}.\n", awaited.join(", "));
    } else if may.is_empty() {
        text += "You wait for nothing, either: your part is over.\n";
    }
    if let Some(left) = offer["left"].as_u64() {
        text += &format!("Messages that may still be sent: {left}.\n");
    }
    for budget in list(&offer["budgets"]) {
        if let (Some(property), Some(left)) = (budget["property"].as_str(), budget["left"].as_u64()) {
            text += &format!("Left of {property}: {left}.\n");
        }
    }
    if let Some(until) = offer["until"].as_u64() {
        text += &format!("Until {}.\n", rfc3339(until));
    }
    text
}

fn suggestion_in_words(suggestion: &Json) -> String {
    let args: Vec<String> = list(&suggestion["args"]).iter().map(argument_in_words).collect();
    let more = if suggestion["exact"] == Json::Bool(true) { "" } else { "; not all values will do" };
    format!(
        "- {}({}) to {}{more} ({})\n",
        suggestion["performative"].as_str().unwrap_or_default(),
        args.join(", "),
        texts(&suggestion["to"]).join(", "),
        suggestion["place"].as_str().unwrap_or_default(),
    )
}

fn argument_in_words(argument: &Json) -> String {
    if let Some(value) = argument.get("is") {
        return value.to_string();
    }
    if let Some([low, high]) = argument["in"].as_array().map(Vec::as_slice) {
        return format!("a number from {low} to {high}");
    }
    match argument["one_of"].as_array() {
        Some(values) => {
            let values: Vec<String> = values.iter().map(Json::to_string).collect();
            format!("one of {}", values.join(" "))
        }
        None => "any value".to_owned(),
    }
}

fn debts_in_words(owed: &Json) -> String {
    let mut text = match owed.get("mine") {
        Some(debt) => format!("You owe {}\n", debt_in_words(debt)),
        None => "You owe nothing.\n".to_owned(),
    };
    let to_me = list(&owed["to_me"]);
    if to_me.is_empty() {
        text += "Nobody owes you anything now.\n";
    }
    for debt in to_me {
        text += &format!("{} owes you {}\n", debt["agent"].as_str().unwrap_or_default(), debt_in_words(debt));
    }
    text
}

fn debt_in_words(debt: &Json) -> String {
    let others = if debt["or_to_others"] == Json::Bool(true) { ", or others something else" } else { "" };
    let until = debt["until"].as_u64().map(|until| format!(", until {}", rfc3339(until)));
    format!("{}{others}{}.", texts(&debt["performatives"]).join(" or "), until.unwrap_or_default())
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn texts(value: &Json) -> Vec<&str> {
    list(value).iter().filter_map(Json::as_str).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::in_words;

    #[test]
    fn a_refusal_says_what_may_be_sent_instead() {
        let suggestion = json!({
            "performative": "offer",
            "args": [{ "in": [1, 8] }, { "one_of": ["a", 2] }, { "any": true }, { "is": 7 }],
            "to": ["desk", "hotels"],
            "exact": false,
            "place": "trips.map:78",
        });
        let refused = json!({ "refused": {
            "kind": "stale",
            "text": "it is late",
            "may": [suggestion],
            "owes": true,
            "unread": [{ "seq": 3, "from": "desk", "performative": "quote", "args": [8] }, { "seq": 4, "timeout": "t:3" }],
            "waits_for": ["hotels"],
        }});
        assert_eq!(
            in_words(&refused),
            "Refused (stale): it is late. Nothing was sent.\n\
             You have not yet seen:\n- quote(8) from desk\n- time has run out for you, at t:3\n\
             First it is the turn of hotels.\n\
             You owe a message: one of\n\
             - offer(a number from 1 to 8, one of \"a\" 2, any value, 7) to desk, hotels; not all values will do \
             (trips.map:78)\n"
        );
    }

    #[test]
    fn debts_have_their_time() {
        let debt = json!({ "agent": "flights", "performatives": ["offer", "soldOut"], "or_to_others": true, "until": 0 });
        assert_eq!(
            in_words(&json!({ "owed": { "to_me": [debt] } })),
            "You owe nothing.\n\
             flights owes you offer or soldOut, or others something else, until 1970-01-01T00:00:00Z.\n"
        );
        assert_eq!(
            in_words(&json!({ "owed": { "to_me": [] } })),
            "You owe nothing.\nNobody owes you anything now.\n"
        );
    }

    #[test]
    fn who_receives_nothing_is_told_why() {
        let offer = json!({ "may": [], "owes": false, "may_rest": true, "waits_for_messages": [] });
        assert_eq!(
            in_words(&json!({ "received": { "items": [] }, "offer": offer })),
            "Nothing has arrived.\nYou can send nothing now.\nYou wait for nothing, either: your part is over.\n"
        );
    }
}
