//! Processes that are lost before the search begins. The others are played here, frame by frame.

use super::*;

/// For what has to happen, however slow the machine is.
const LONG: Duration = Duration::from_secs(120);

fn hello(own: u32) -> Hello {
    Hello { own, count: 3, patience: LONG, identity: Vec::new() }
}

/// A meeting of three, of which one process is real.
struct Scene {
    hosts: Hosts,
    listeners: Vec<TcpListener>,
    key: Option<Key>,
    meeting: Arc<Meeting>,
    stop: AtomicBool,
}

impl Scene {
    fn of(real: u32, key: Option<Key>) -> Self {
        let listeners: Vec<_> = (0..3).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let hosts = Hosts::of_listeners(&listeners).unwrap();
        let meeting = Meeting::new(&hosts, key.as_ref(), hello(real));
        Self { hosts, listeners, key, meeting, stop: AtomicBool::new(false) }
    }

    /// Holds the meeting, and returns what comes of it and of the others.
    fn hold<T>(&self, others: impl FnOnce() -> T) -> (Result<Vec<Option<Connection>>, JoinError>, T) {
        thread::scope(|scope| {
            let listener = &self.listeners[self.meeting.own()];
            let held =
                scope.spawn(|| self.meeting.hold(Some(listener), LONG, &|| self.stop.load(Ordering::SeqCst)));
            // What fails below must not wait for the meeting.
            let others = std::panic::catch_unwind(std::panic::AssertUnwindSafe(others));
            if others.is_err() {
                self.stop.store(true, Ordering::SeqCst);
            }
            let held = held.join().unwrap();
            (held, others.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Another process comes to the real one, and is let in unless it is told why not.
    fn come(&self, own: u32) -> Result<Connection, String> {
        let socket = TcpStream::connect(self.hosts.resolve(self.meeting.own()).unwrap()[0]).unwrap();
        let mut connection = greet(socket, Side::Connects, self.key.as_ref(), &hello(own)).unwrap();
        match hear(&mut connection) {
            Kind::Welcome => Ok(connection),
            Kind::Refused => Err(connection.incoming.text()),
            kind => panic!("{kind:?}"),
        }
    }

    /// The real process comes to another one.
    fn expect(&self, own: u32) -> Connection {
        let (socket, _) = self.listeners[own as usize].accept().unwrap();
        let mut connection = greet(socket, Side::Accepts, self.key.as_ref(), &hello(own)).unwrap();
        say(&mut connection, Kind::Welcome, b"");
        connection
    }

    fn wait_for_remark(&self, remark: &str) {
        let since = Instant::now();
        while !self.meeting.remarks().contains(remark) {
            assert!(since.elapsed() < LONG, "{remark} is not in {}", self.meeting.remarks());
            thread::sleep(LOOK);
        }
    }
}

fn say(connection: &mut Connection, kind: Kind, data: &[u8]) {
    connection.outgoing.put(kind, data, &|| Ok(())).unwrap();
}

/// The next frame that is not only a sign of life.
fn hear(connection: &mut Connection) -> Kind {
    let until = Instant::now() + LONG;
    loop {
        let kind = connection.incoming.take(&|_| before(until)).unwrap();
        if kind != Kind::Beat {
            return kind;
        }
    }
}

/// The others are ready, and the real process begins. Their connections have to be kept until it has.
fn begin<const N: usize>(mut others: [Connection; N]) -> [Connection; N] {
    for other in &mut others {
        assert_eq!(hear(other), Kind::Ready);
    }
    for other in &mut others {
        say(other, Kind::Ready, b"");
    }
    others
}

#[test]
fn one_that_has_died_may_come_again_and_has_to_be_ready_again() {
    let scene = Scene::of(0, Some(Key::random().unwrap()));
    let (met, _others) = scene.hold(|| {
        let mut first = scene.come(2).unwrap();
        // It waits for nobody, and dies before the others know each other.
        say(&mut first, Kind::Ready, b"");
        drop(first);
        let second = scene.come(2).unwrap();
        let mut others = [second, scene.come(1).unwrap()];
        say(&mut others[1], Kind::Ready, b"");
        assert_eq!(hear(&mut others[0]), Kind::Ready);
        // Time to begin without the second one, which would be wrong.
        thread::sleep(LOOK * 10);
        assert!(!scene.meeting.over.load(Ordering::SeqCst));
        say(&mut others[0], Kind::Ready, b"");
        assert_eq!(hear(&mut others[1]), Kind::Ready);
        others
    });
    assert_eq!(met.unwrap().iter().filter(|it| it.is_some()).count(), 2);
}

#[test]
fn the_end_of_one_is_noticed_while_another_is_awaited() {
    let scene = Scene::of(0, None);
    let (met, ()) = scene.hold(|| {
        drop(scene.come(2).unwrap());
        scene.wait_for_remark(&format!("; {} ended before the search began", scene.hosts.name(2)));
        let mut again = scene.come(2).unwrap();
        say(&mut again, Kind::Ready, b"");
        say(&mut again, Kind::GaveUp, "not \u{1b}[1mme".as_bytes());
        let gave_up = format!("; {} gave up: not \\u{{1b}}[1mme", scene.hosts.name(2));
        scene.wait_for_remark(&gave_up);
        assert!(scene.meeting.who_is_missing(&[1, 2]).ends_with(&gave_up));
        scene.stop.store(true, Ordering::SeqCst);
    });
    assert!(matches!(met, Err(JoinError::Stopped)));
}

#[test]
fn a_connection_that_is_lost_is_made_again() {
    let scene = Scene::of(1, None);
    let (met, _others) = scene.hold(|| {
        let mut other = scene.come(2).unwrap();
        drop(scene.expect(0));
        // Readiness that is written as the other one dies is void.
        let mut died = scene.expect(0);
        say(&mut died, Kind::Ready, b"");
        drop(died);
        let zero = scene.expect(0);
        say(&mut other, Kind::Ready, b"");
        assert_eq!(hear(&mut other), Kind::Ready);
        (begin([zero]), other)
    });
    assert!(met.is_ok());
}

#[test]
fn one_that_lives_keeps_its_number() {
    let scene = Scene::of(0, None);
    let (met, (refused, _others)) = scene.hold(|| {
        let mut first = scene.come(2).unwrap();
        let over = AtomicBool::new(false);
        let refused = thread::scope(|scope| {
            let beats = scope.spawn(|| {
                while !over.load(Ordering::SeqCst) {
                    say(&mut first, Kind::Beat, b"");
                    thread::sleep(LOOK);
                }
            });
            let refused = scene.come(2).err();
            over.store(true, Ordering::SeqCst);
            beats.join().unwrap();
            refused
        });
        (refused, begin([first, scene.come(1).unwrap()]))
    });
    assert!(met.is_ok());
    assert_eq!(refused.as_deref(), Some("process 2 is here already"));
}

/// As when its machine has lost its power.
#[test]
fn one_that_is_silent_loses_its_number_to_one_that_comes() {
    let scene = Scene::of(0, None);
    let (met, _others) = scene.hold(|| {
        let mut silent = scene.come(2).unwrap();
        let second = scene.come(2).unwrap();
        let end = loop {
            if let Err(end) = silent.incoming.take(&|_| Ok(())) {
                break end.kind();
            }
        };
        assert!([io::ErrorKind::UnexpectedEof, io::ErrorKind::ConnectionReset].contains(&end), "{end}");
        begin([second, scene.come(1).unwrap()])
    });
    assert!(met.is_ok());
}

#[test]
fn what_one_sends_that_has_begun_is_kept_for_the_search() {
    let scene = Scene::of(0, Some(Key::random().unwrap()));
    let (met, _others) = scene.hold(|| {
        let mut first = scene.come(1).unwrap();
        say(&mut first, Kind::Beat, b"");
        say(&mut first, Kind::Ready, b"");
        say(&mut first, Kind::Data, b"block");
        say(&mut first, Kind::Beat, b"");
        // It is looked at several times.
        thread::sleep(LOOK * 10);
        let mut second = scene.come(2).unwrap();
        say(&mut second, Kind::Ready, b"");
        [first, second]
    });
    let mut met = met.unwrap();
    let first = met[1].as_mut().unwrap();
    assert_eq!(first.incoming.take(&|_| Ok(())).unwrap(), Kind::Data);
    assert_eq!(first.incoming.data(), b"block");
    assert_eq!(first.incoming.take(&|_| Ok(())).unwrap(), Kind::Beat);
}

#[test]
fn one_that_says_something_else_than_it_should_is_not_there() {
    let scene = Scene::of(0, None);
    let (_, ()) = scene.hold(|| {
        let mut other = scene.come(1).unwrap();
        say(&mut other, Kind::Data, b"too early");
        scene.wait_for_remark(" sent something unexpected");
        scene.stop.store(true, Ordering::SeqCst);
    });
}
