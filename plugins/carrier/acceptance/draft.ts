import type { Bench } from './bench.ts'

/** A case before it is bound to an adapter and a rig. `unless` is the reason to skip it, if any. */
export interface Draft {
  readonly name: string
  readonly unless?: string | false | undefined
  readonly run: (bench: Bench) => Promise<void> | void
}
