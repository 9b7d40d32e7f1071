import type { TObject, TSchema } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import type { Scope } from './auth/scopes.ts'
import type { Creation } from './idempotency.ts'

/** Who may ask: one macro of `auth`, as data. */
export type AccessRule =
  | { readonly open: true }
  | { readonly user: true | 'admin' }
  | { readonly project: Scope }
  | { readonly access: Scope }

/** What a handler of such a route is given, as its schemas let it through. */
export interface Ask extends Creation {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** A route as data, for what makes routes out of a definition. Any other is written in a routes file, where Elysia knows its types. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the prefix that it is mounted under. */
  readonly path: string
  readonly may: AccessRule
  readonly params?: TObject
  readonly query?: TSchema
  readonly body?: TSchema
  readonly response: TSchema | Readonly<Record<number, TSchema>>
  readonly detail: Readonly<Record<string, unknown>>
  handle(ask: Ask): Promise<unknown>
}

/** Mounts routes in their order. `auth`: the macros that `may` names. */
export function mount(auth: AnyElysia, name: string, prefix: string, routes: readonly Route[]): AnyElysia {
  const app: AnyElysia = new Elysia({ name, prefix }).use(auth)
  // Elysia infers a handler's context from routes that are written out; these are data, so it is told that they fit.
  for (const { method, path, may, handle, ...schemas } of routes)
    app.route(method, path, ((ask: Ask) => handle(ask)) as never, { ...may, ...schemas } as never)
  return app
}
