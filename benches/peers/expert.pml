/* The bounded auction as somebody writes it who knows SPIN well: nobody looks at the prices or at who has bid, so a
 * mailbox is a number of messages of each kind, and what is received is decided in the same step. N bidders, at most B
 * accepted bids; -DFAULT: nobody is told that the auction is over.
 */
#ifndef N
#define N 2
#endif
#ifndef B
#define B 2
#endif

bool started, over;
short bids;        /* in the auctioneer's mailbox */
byte raises[N];    /* in each bidder's */
bool left_room[N];

proctype Auctioneer() {
  byte left = B;
  byte i;

  started = true;                                   /* to all at once */
  do
  :: atomic { bids > 0 -> bids-- };
     if
     :: skip                                        /* not accepted */
     :: atomic {
          left--;
          if
          :: left == 0 -> break
          :: else ->
             i = 0;
             do
             :: i < N -> raises[i]++; i++
             :: else -> i = 0; break
             od
          fi
        }
     fi
  :: timeout -> break
  od;
#ifndef FAULT
  over = true
#endif
}

proctype Bidder(byte self) {
  started;
consider:
  if
  :: bids++                                         /* bids */
  :: skip
  fi;
  if
  :: atomic { raises[self] > 0 -> raises[self]-- }; goto consider
  :: atomic { raises[self] == 0 && over -> left_room[self] = true }
  fi
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Bidder(i); i++
    :: else -> break
    od;
    i = 0;
    run Auctioneer()
  }
}
