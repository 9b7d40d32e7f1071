import type { Static, TObject } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import { parsePointer } from '../../lib/errors/json-pointer.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { toolErrors } from './tools.errors.ts'

/** Preview of a change: the id of the object and its fields before and after. */
export interface ChangePreview {
  readonly thing: string
  readonly before: object
  readonly after: object
}

interface ToolBase<S extends TObject> {
  readonly description: string
  readonly parameters: S
  /** Role and permission that the user needs in the store. */
  readonly right: StoreRight
}
interface ReadTool<S extends TObject> extends ToolBase<S> {
  readonly read: (context: Context, store: Store, args: Static<S>) => Promise<object>
}
interface WriteTool<S extends TObject> extends ToolBase<S> {
  /** Previews the change without applying it. Throws `not_found` for an object of another store. */
  readonly preview: (sql: Queryable, store: Store, args: Static<S>) => Promise<ChangePreview>
  /** Locks the object until the transaction ends. Returns the store as it is then. */
  readonly lock: (tx: Tx, store: Store, args: Static<S>) => Promise<Store>
  /** Applies the change. Runs in the transaction that locked the object. */
  readonly apply: (tx: Tx, store: Store, args: Static<S>) => Promise<unknown>
}

/** Tool of this server. A read tool has `read`; a write tool has the others, and its change is applied when the user confirms it. */
export interface BuiltInTool {
  readonly description: string
  readonly parameters: TObject
  readonly right: StoreRight
  readonly read: ((context: Context, store: Store, args: unknown) => Promise<object>) | null
  readonly preview: ((sql: Queryable, store: Store, args: unknown) => Promise<ChangePreview>) | null
  readonly lock: ((tx: Tx, store: Store, args: unknown) => Promise<Store>) | null
  readonly apply: ((tx: Tx, store: Store, args: unknown) => Promise<unknown>) | null
}

/** Returns a function that validates arguments. Compiles the schema on first use. Throws `invalid_request`. */
function argumentChecker<S extends TObject>(takes: S) {
  let compiled: TypeCheck<S> | undefined
  return (args: unknown): Static<S> => {
    compiled ??= TypeCompiler.Compile(takes)
    if (compiled.Check(args)) return args
    const problem = compiled.Errors(args).First()
    throw toolErrors.argumentsInvalid({
      issues: problem ? [{ field: parsePointer(problem.path), message: problem.message }] : [],
    })
  }
}

/** Defines a tool that only reads. Its arguments are validated before `read` runs. */
export function defineReadTool<S extends TObject>({ read, ...of }: ReadTool<S>): BuiltInTool {
  const checked = argumentChecker(of.parameters)
  return { ...of, read: async (context, store, args) => read(context, store, checked(args)), preview: null, lock: null, apply: null }
}

/** Defines a tool that proposes a change. Its arguments are validated before each step. */
export function defineWriteTool<S extends TObject>({ preview: draft, lock: hold, apply: act, ...of }: WriteTool<S>): BuiltInTool {
  const checked = argumentChecker(of.parameters)
  return {
    ...of,
    read: null,
    preview: async (sql, store, args) => draft(sql, store, checked(args)),
    lock: async (tx, store, args) => hold(tx, store, checked(args)),
    apply: async (tx, store, args) => act(tx, store, checked(args)),
  }
}
