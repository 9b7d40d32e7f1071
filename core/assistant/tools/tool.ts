import type { Static, TObject } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { Right } from '../../http/auth/scopes.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { Store } from '../../shop/stores/stores.model.ts'

/** What a change would make of a thing. */
export interface Draft {
  readonly thing: string
  readonly before: object
  readonly after: object
}

interface Common<S extends TObject> {
  readonly description: string
  readonly takes: S
  /** What the person has to be in the store. */
  readonly right: Right
}
interface Reads<S extends TObject> extends Common<S> {
  readonly read: (context: Context, store: Store, args: Static<S>) => Promise<object>
}
interface Writes<S extends TObject> extends Common<S> {
  /** How it is now, and how it would be: nothing is changed. Throws `not_found` for another store's. */
  readonly draft: (sql: Queryable, store: Store, args: Static<S>) => Promise<Draft>
  /** Nobody else changes the thing until the transaction ends. Gives the store, as it is then. */
  readonly hold: (tx: Tx, store: Store, args: Static<S>) => Promise<Store>
  readonly act: (tx: Tx, store: Store, args: Static<S>) => Promise<unknown>
}

/** A tool of the house. One that changes something only drafts it: it is done when the person says so. */
export interface HouseTool {
  readonly description: string
  readonly takes: TObject
  readonly right: Right
  readonly read: ((context: Context, store: Store, args: unknown) => Promise<object>) | null
  readonly draft: ((sql: Queryable, store: Store, args: unknown) => Promise<Draft>) | null
  readonly hold: ((tx: Tx, store: Store, args: unknown) => Promise<Store>) | null
  readonly act: ((tx: Tx, store: Store, args: unknown) => Promise<unknown>) | null
}

function checker<S extends TObject>(takes: S) {
  let compiled: TypeCheck<S> | undefined
  return (args: unknown): Static<S> => {
    compiled ??= TypeCompiler.Compile(takes)
    if (compiled.Check(args)) return args
    const problem = compiled.Errors(args).First()
    throw new ApiError('invalid_request', `The tool does not take this: ${problem?.path ?? ''} ${problem?.message ?? ''}.`)
  }
}

export function reading<S extends TObject>({ read, ...of }: Reads<S>): HouseTool {
  const checked = checker(of.takes)
  return { ...of, read: async (context, store, args) => read(context, store, checked(args)), draft: null, hold: null, act: null }
}

export function writing<S extends TObject>({ draft, hold, act, ...of }: Writes<S>): HouseTool {
  const checked = checker(of.takes)
  return {
    ...of,
    read: null,
    draft: async (sql, store, args) => draft(sql, store, checked(args)),
    hold: async (tx, store, args) => hold(tx, store, checked(args)),
    act: async (tx, store, args) => act(tx, store, checked(args)),
  }
}
