import type { Static, TObject } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { Right } from '../../http/auth/scopes.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { Store } from '../../shop/stores/stores.model.ts'

/** Preview of a change: the id of the object and its fields before and after. */
export interface Draft {
  readonly thing: string
  readonly before: object
  readonly after: object
}

interface ToolBase<S extends TObject> {
  readonly description: string
  readonly takes: S
  /** Role and permission that the user needs in the store. */
  readonly right: Right
}
interface ReadTool<S extends TObject> extends ToolBase<S> {
  readonly read: (context: Context, store: Store, args: Static<S>) => Promise<object>
}
interface WriteTool<S extends TObject> extends ToolBase<S> {
  /** Previews the change without applying it. Throws `not_found` for an object of another store. */
  readonly draft: (sql: Queryable, store: Store, args: Static<S>) => Promise<Draft>
  /** Locks the object until the transaction ends. Returns the store as it is then. */
  readonly hold: (tx: Tx, store: Store, args: Static<S>) => Promise<Store>
  /** Applies the change. Runs in the transaction that locked the object. */
  readonly act: (tx: Tx, store: Store, args: Static<S>) => Promise<unknown>
}

/** Tool of this server. A read tool has `read`; a write tool has the others, and its change is applied when the user confirms it. */
export interface HouseTool {
  readonly description: string
  readonly takes: TObject
  readonly right: Right
  readonly read: ((context: Context, store: Store, args: unknown) => Promise<object>) | null
  readonly draft: ((sql: Queryable, store: Store, args: unknown) => Promise<Draft>) | null
  readonly hold: ((tx: Tx, store: Store, args: unknown) => Promise<Store>) | null
  readonly act: ((tx: Tx, store: Store, args: unknown) => Promise<unknown>) | null
}

/** Returns a function that validates arguments. Compiles the schema on first use. Throws `invalid_request`. */
function argumentChecker<S extends TObject>(takes: S) {
  let compiled: TypeCheck<S> | undefined
  return (args: unknown): Static<S> => {
    compiled ??= TypeCompiler.Compile(takes)
    if (compiled.Check(args)) return args
    const problem = compiled.Errors(args).First()
    throw new ApiError('invalid_request', `The arguments do not fit the tool: ${problem?.path ?? ''} ${problem?.message ?? ''}.`)
  }
}

/** Defines a tool that only reads. Its arguments are validated before `read` runs. */
export function reading<S extends TObject>({ read, ...of }: ReadTool<S>): HouseTool {
  const checked = argumentChecker(of.takes)
  return { ...of, read: async (context, store, args) => read(context, store, checked(args)), draft: null, hold: null, act: null }
}

/** Defines a tool that proposes a change. Its arguments are validated before each step. */
export function writing<S extends TObject>({ draft, hold, act, ...of }: WriteTool<S>): HouseTool {
  const checked = argumentChecker(of.takes)
  return {
    ...of,
    read: null,
    draft: async (sql, store, args) => draft(sql, store, checked(args)),
    hold: async (tx, store, args) => hold(tx, store, checked(args)),
    act: async (tx, store, args) => act(tx, store, checked(args)),
  }
}
