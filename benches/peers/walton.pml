/* The bounded auction in the style of the 2004 paper: what each agent says and hears goes through a mailbox, messages
 * are dequeued, matched and requeued, a flag says whether an operation failed, and a waiting agent tries again and
 * again until time runs out. N bidders, at most B accepted bids.
 */
#ifndef N
#define N 2
#endif
#ifndef B
#define B 2
#endif
#define AUCTIONEER N
#define ANY 255
#define PRICE 1      /* all prices are abstract */
#define CAPACITY (N * (B + 1))

mtype = { start, bid, next, won };

/* performative, sender, price, leader */
chan mailbox[N + 1] = [CAPACITY] of { mtype, byte, byte, byte };

inline multicast(what, price, leader) {
  atomic {
    to = 0;
    do
    :: to < N -> mailbox[to] ! what, AUCTIONEER, price, leader; to++
    :: else -> break
    od;
    to = 0
  }
}

/* Takes the oldest message with that performative. */
inline receive(what, from, price, leader) {
  atomic {
    fail = true;
    waiting = len(mailbox[self]);
    do
    :: waiting > 0 ->
       mailbox[self] ? heard, from, price, leader;
       waiting--;
       if
       :: fail && heard == what -> fail = false; kept_from = from; kept_price = price; kept_leader = leader
       :: else -> mailbox[self] ! heard, from, price, leader
       fi
    :: else -> break
    od;
    from = kept_from; price = kept_price; leader = kept_leader;
    kept_from = 0; kept_price = 0; kept_leader = 0; heard = 0
  }
}

/* A decision: "no" is failure. */
inline decide(answer) {
  if
  :: answer = PRICE; fail = false
  :: fail = true
  fi
}

proctype Auctioneer(byte self) {
  bool fail;
  byte to, waiting, from, offer, raised, price, unused, winner, left = B;
  byte kept_from, kept_price, kept_leader;
  mtype heard;

  price = PRICE;
  multicast(start, price, 0);
bidloop:
  do
  :: len(mailbox[self]) > 0 ->
     receive(bid, from, offer, unused);
     if
     :: fail -> skip
     :: else ->
        decide(raised);
        if
        :: fail -> fail = false; goto bidloop
        :: else -> left--
        fi;
        if
        :: left == 0 -> break
        :: else -> price = raised; multicast(next, price, from); goto bidloop
        fi
     fi
  :: timeout -> break
  od;
  winner = PRICE;
  multicast(won, price, winner)
}

proctype Bidder(byte self) {
  bool fail;
  byte waiting, from, offer, price, leader;
  byte kept_from, kept_price, kept_leader;
  mtype heard;

  do
  :: len(mailbox[self]) > 0 ->
     receive(start, from, price, leader);
     if
     :: fail -> skip
     :: else -> break
     fi
  od;
consider:
  decide(offer);
  if
  :: fail -> fail = false
  :: else -> mailbox[AUCTIONEER] ! bid, self, offer, 0
  fi;
  do
  :: len(mailbox[self]) > 0 ->
     receive(next, from, price, leader);
     if
     :: !fail -> goto consider
     :: else -> receive(won, from, price, leader)
     fi;
     if
     :: fail -> skip
     :: else -> break
     fi
  od
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Bidder(i); i++
    :: else -> break
    od;
    i = 0;
    run Auctioneer(AUCTIONEER)
  }
}
