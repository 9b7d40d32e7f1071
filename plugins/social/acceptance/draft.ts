import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { SocialAdapter } from '../kind.ts'
import type { Account, Rig } from './rig.ts'

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly adapter: SocialAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

/** A case before it is bound to an adapter and a rig. */
export interface Draft {
  readonly name: string
  /** Reason if the case does not apply to this provider. */
  readonly unless?: string | false
  run(bench: Bench): Promise<void> | void
}

let people = 0
/** Creates an account with every property that a provider may know. */
export const account = (change: Partial<Account> = {}): Account => {
  people += 1
  return { subject: `1000${people}`, email: `person${people}@example.com`, emailVerified: true, name: `Person ${people}`, ...change }
}
