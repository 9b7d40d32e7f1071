import { call } from './console-session.ts'
import { leaveWantedPath } from './wanted-path.ts'

/** Ends of acting as a user: by the button, by itself, or together with the own session of the administrator. */
const endings = ['stopped', 'over', 'ended'] as const
type Ending = (typeof endings)[number]

const ENDING = 'serai.actingEnding'
const channel = new BroadcastChannel('serai.session')

/** Loads the console anew whenever another tab has started or stopped to act as a user: the session of this tab is another one then. */
export function followOtherTabs(): void {
  channel.onmessage = loadAnew
}

/** Acts as a user from now on, in all tabs. The reason is shown to the user. */
export async function startActing(user: { readonly userId: string; readonly reason: string }): Promise<void> {
  await call('POST', '/console/session/act-as', user)
  changeSession()
}

/** Ends acting as a user, and returns to the administrator's own session in all tabs. `how` decides the message that is shown then. */
export async function stopActing(how: Exclude<Ending, 'ended'>): Promise<void> {
  const { data } = await call<{ readonly data: { readonly isSignedIn: boolean } }>('DELETE', '/console/session/act-as')
  sessionStorage.setItem(ENDING, data.isSignedIn ? how : 'ended')
  changeSession()
}

/** Returns once how acting as a user has just ended in this tab; undefined if it has not. */
export function takeActingEnding(): Ending | undefined {
  const ending = sessionStorage.getItem(ENDING)
  sessionStorage.removeItem(ENDING)
  return endings.find((each) => each === ending)
}

function changeSession(): void {
  channel.postMessage(null)
  loadAnew()
}

/** Loads the start of the console anew, so that nothing of the session before stays in memory. */
function loadAnew(): void {
  leaveWantedPath()
  location.replace('/console')
}
