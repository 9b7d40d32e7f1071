import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { ConnectorAdapter } from './kind.ts'

export { type Accepted, asTable, type CaseResult, countOf } from '../acceptance/accept.ts'

type RigOf = (platform: ConnectorAdapter) => Rig

/** Runs the acceptance suite of platforms of shops, or the cases that are wanted of it. */
export const accept = (platform: ConnectorAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, platform, rigOf, isWanted)

/** What there is to run for this platform, and what does not concern it. */
export const casesOf = (platform: ConnectorAdapter, rigOf: RigOf) => suite.casesOf(acceptance, platform, rigOf)
