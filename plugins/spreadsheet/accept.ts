import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { SpreadsheetAdapter } from './kind.ts'

export { type CaseResult, countOutcomes as countOf, formatResults as asTable, type SuiteResult as Accepted } from '../acceptance/accept.ts'

type RigOf = (adapter: SpreadsheetAdapter) => Rig

/** Runs the acceptance suite of spreadsheets, or the cases that `isWanted` selects. */
export const accept = (adapter: SpreadsheetAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, adapter, rigOf, isWanted)

/** Lists the cases of the suite for this spreadsheet, with the reasons of those that do not apply. */
export const casesOf = (adapter: SpreadsheetAdapter, rigOf: RigOf) => suite.listCases(acceptance, adapter, rigOf)
