-- The bounded auction for rumur: nobody looks at prices or at who has bid, so a mailbox is a number of messages.
const N: 2; -- bidders
const B: 5; -- accepted bids
const FAULT: false; -- nobody is told that the auction is over

type bidder: scalarset(N);
type calls: 0 .. B;

var left: calls; -- how many more bids are accepted
var bids: 0 .. N * B; -- in the auctioneer's mailbox
var over: boolean;
var told: array [bidder] of calls; -- calls for bids in each bidder's mailbox
var gone: array [bidder] of boolean;

procedure close(); begin
  over := true;
  bids := 0;
  left := 0;
end;

startstate begin
  left := B;
  bids := 0;
  over := false;
  for b: bidder do
    told[b] := 1;
    gone[b] := false;
  end;
end;

ruleset b: bidder do
  rule "bids" told[b] > 0 ==> begin
    told[b] := told[b] - 1;
    if !over then bids := bids + 1; end; -- nobody reads a bid after the end
  end;
  rule "passes" told[b] > 0 ==> begin
    told[b] := told[b] - 1;
  end;
  rule "leaves" over & !FAULT & told[b] = 0 & !gone[b] ==> begin
    gone[b] := true;
  end;
end;

rule "accepts" !over & bids > 0 ==> begin
  bids := bids - 1;
  left := left - 1;
  if left = 0 then
    close();
  else
    for b: bidder do told[b] := told[b] + 1; end;
  end;
end;

rule "declines" !over & bids > 0 ==> begin
  bids := bids - 1;
end;

rule "time runs out" !over & bids = 0 & forall b: bidder do told[b] = 0 end ==> begin
  close();
end;

-- A state without a rule is a deadlock.
rule "has ended" over & forall b: bidder do gone[b] end ==> begin end;
