import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { SocialAdapter } from '../kind.ts'
import type { Account, Rig } from './rig.ts'

/** What a case works with: the provider under watch, its other side, and connections. */
export interface Bench {
  readonly adapter: SocialAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

export interface Draft {
  readonly name: string
  /** Why it does not concern this provider. */
  readonly unless?: string | false
  run(bench: Bench): Promise<void> | void
}

let people = 0
/** Somebody of whom the provider knows all that it can. */
export const account = (change: Partial<Account> = {}): Account => {
  people += 1
  return { subject: `1000${people}`, email: `person${people}@example.com`, emailVerified: true, name: `Person ${people}`, ...change }
}
