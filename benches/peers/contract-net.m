-- The contract net for rumur. There is at most one message between the initiator and each participant at a time, so where
-- a participant is also says what is in the mailboxes, and who is best is said by the participant.
const N: 2; -- participants
const FAULT: false; -- who was best before is not rejected

type participant: scalarset(N);
type count: 0 .. N;

var initiator: enum {open, awarded, reported, ended};
var awaited: count; -- answers that the initiator waits for
var refusals: count; -- in its mailbox
var at: array [participant] of enum {called, proposed, best, rejected, accepted, forgotten, finished};

procedure award(); begin
  awaited := 0;
  refusals := 0;
  initiator := ended;
  for p: participant do
    if at[p] = best then
      at[p] := accepted;
      initiator := awarded;
    end;
  end;
end;

procedure counted(); begin
  awaited := awaited - 1;
  if awaited = 0 then award(); end;
end;

startstate begin
  initiator := open;
  awaited := N;
  refusals := 0;
  for p: participant do at[p] := called; end;
end;

ruleset p: participant do
  rule "proposes" at[p] = called ==> begin
    at[p] := proposed;
  end;
  rule "refuses" at[p] = called ==> begin
    at[p] := finished;
    refusals := refusals + 1;
  end;
  rule "stays silent" at[p] = called ==> begin
    at[p] := finished;
  end;
  rule "is the best" initiator = open & at[p] = proposed ==> begin
    for q: participant do
      if at[q] = best then
        if FAULT then at[q] := forgotten; else at[q] := rejected; end;
      end;
    end;
    at[p] := best;
    counted();
  end;
  rule "is not the best" initiator = open & at[p] = proposed & exists q: participant do at[q] = best end ==> begin
    at[p] := rejected;
    counted();
  end;
  rule "hears the rejection" at[p] = rejected ==> begin
    at[p] := finished;
  end;
  -- Done or failed: the initiator does the same after either.
  rule "performs" at[p] = accepted ==> begin
    at[p] := finished;
    initiator := reported;
  end;
end;

rule "takes a refusal" initiator = open & refusals > 0 ==> begin
  refusals := refusals - 1;
  counted();
end;

rule "takes the report" initiator = reported ==> begin
  initiator := ended;
end;

rule "time runs out" initiator = open & refusals = 0 &
  forall p: participant do at[p] = best | at[p] = forgotten | at[p] = finished end ==> begin
  award();
end;

-- A state without a rule is a deadlock.
rule "has ended" initiator = ended & forall p: participant do at[p] = finished end ==> begin end;
