-- Two-phase commit for rumur. What the coordinator sends goes to all, so one value says what is in the voters' mailboxes.
const N: 2; -- voters
const FAULT: false; -- the coordinator whose time runs out tells nobody

type voter: scalarset(N);
type count: 0 .. N;

var decision: enum {open, commit, abort, untold};
var awaited: count; -- votes that the coordinator waits for
var yes: count; -- in its mailbox
var no: count;
var at: array [voter] of enum {asked, uncertain, against, finished};

procedure forget(); begin
  awaited := 0;
  yes := 0;
  no := 0;
end;

startstate begin
  decision := open;
  awaited := N;
  yes := 0;
  no := 0;
  for v: voter do at[v] := asked; end;
end;

ruleset v: voter do
  rule "votes yes" at[v] = asked ==> begin
    at[v] := uncertain;
    if decision = open then yes := yes + 1; end;
  end;
  rule "votes no" at[v] = asked ==> begin
    at[v] := against;
    if decision = open then no := no + 1; end;
  end;
  rule "crashes" at[v] = asked ==> begin
    at[v] := against;
  end;
  rule "hears" (at[v] = uncertain & (decision = commit | decision = abort)) | (at[v] = against & decision = abort) ==> begin
    at[v] := finished;
  end;
end;

rule "counts a yes" decision = open & yes > 0 ==> begin
  yes := yes - 1;
  awaited := awaited - 1;
  if awaited = 0 then
    decision := commit;
    forget();
  end;
end;

rule "counts a no" decision = open & no > 0 ==> begin
  decision := abort;
  forget();
end;

rule "time runs out" decision = open & yes = 0 & no = 0 & forall v: voter do at[v] != asked end ==> begin
  if FAULT then decision := untold; else decision := abort; end;
  forget();
end;

-- A state without a rule is a deadlock.
rule "has ended" forall v: voter do at[v] = finished end ==> begin end;
