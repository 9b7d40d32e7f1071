import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { SpreadsheetAdapter } from './kind.ts'

export { type Accepted, asTable, type CaseResult, countOf } from '../acceptance/accept.ts'

type RigOf = (adapter: SpreadsheetAdapter) => Rig

/** Runs the acceptance suite of spreadsheets, or the cases that are wanted of it. */
export const accept = (adapter: SpreadsheetAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, adapter, rigOf, isWanted)

/** What there is to run for this spreadsheet, and what does not concern it. */
export const casesOf = (adapter: SpreadsheetAdapter, rigOf: RigOf) => suite.casesOf(acceptance, adapter, rigOf)
