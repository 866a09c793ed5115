/* The bounded auction step for step as auction.map has it: without reductions there is one state here for each state
 * there, and one transition for each. A mailbox keeps the order of messages and who sent them; to receive, to decide and
 * to send are steps of their own. Prices, which nobody looks at, are left out; what is sent to the auctioneer after its
 * end is dropped.
 *
 * It is written for speed, which for SPIN hangs on how long a state is: a mailbox is a number with a digit for each
 * message, the newest first, and what matters during a step alone is hidden. With channels the states are the same, but
 * longer. N bidders, at most B accepted bids; too many for the digits is an assertion violated.
 */
#ifndef N
#define N 2
#endif
#ifndef B
#define B 2
#endif

/* Messages to a bidder; from FIRST on they say who leads. A message to the auctioneer says who bids, from 1 on. */
#define START 1
#define ACCEPT 2
#define FIRST 3
#define KINDS (N + FIRST)

/* What holds B + 1 digits of KINDS. */
#if B == 1 && N <= 12 || B == 2 && N <= 3
#define mailbox byte
#else
#define mailbox int
#endif
#define LARGEST 2147483647

int bids;            /* the auctioneer's mailbox */
mailbox box[N];      /* the bidders', by _pid - 1 */
bool over;           /* the auctioneer has ended */
hidden int place;    /* of the digit to be written */
hidden byte i;

inline put(queue, kinds, message) {
  place = 1;
  do
  :: place <= queue -> assert(place <= LARGEST / kinds); place = place * kinds
  :: else -> break
  od;
  assert(place <= LARGEST / kinds);
  queue = queue + (message) * place
}

inline multicast(message) {
  i = 0;
  do
  :: i < N -> put(box[i], KINDS, message); i++
  :: else -> break
  od
}

active proctype Auctioneer() {
  byte left = B;
  byte leader;

  skip;                                                  /* getValue */
  d_step { multicast(START) };
bidloop:
  if
  :: d_step { bids > 0 -> leader = bids % (N + 1); bids = bids / (N + 1) }
  :: timeout -> goto close
  fi;
  if                                                     /* recordBid */
  :: leader = 0; goto bidloop
  :: skip
  fi;
  if                                                     /* accepted */
  :: d_step { left == 1 -> left = 0; leader = 0 }; goto close
  :: d_step { left > 1 -> left-- }
  fi;
  d_step { multicast(leader + FIRST - 1); leader = 0 };
  goto bidloop;
close:
  skip;                                                  /* getWinner */
  d_step { multicast(ACCEPT); bids = 0; over = true };
end: false
}

active [N] proctype Bidder() {
  d_step { box[_pid - 1] > 0 -> box[_pid - 1] = box[_pid - 1] / KINDS };
consider:
  if                                                     /* keepBidding */
  :: skip
  :: goto bidloop
  fi;
  if
  :: over
  :: d_step { !over -> put(bids, (N + 1), _pid) }
  fi;
bidloop:
  if
  :: d_step { box[_pid - 1] == ACCEPT -> box[_pid - 1] = 0 }
  :: d_step { box[_pid - 1] > 0 && box[_pid - 1] != ACCEPT -> box[_pid - 1] = box[_pid - 1] / KINDS };
     goto consider
  fi;
end: false
}
