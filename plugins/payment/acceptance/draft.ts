import type { Bench } from './bench.ts'

/** A case as its author writes it: `unless` gives a reason to skip, or nothing. */
export interface Draft {
  readonly name: string
  readonly unless?: string | false | undefined
  readonly run: (bench: Bench) => Promise<void> | void
}
