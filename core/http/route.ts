import type { TObject, TSchema } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import type { ProjectAccess } from './auth/project-access.ts'
import type { Scope } from './auth/scopes.ts'
import type { CreationRequest } from './idempotency.ts'

/** Access of a route: one macro of `authMacros`, as data. */
export type AccessRule =
  | { readonly open: true }
  | { readonly user: true | 'admin' }
  | { readonly project: ProjectAccess }
  | { readonly access: Scope }

/** Validated request of a {@link Route}. */
export interface RouteRequest extends CreationRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Route as data, for generated routes. Hand-written routes belong in a routes file, where Elysia infers their types. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the mount prefix. */
  readonly path: string
  readonly access: AccessRule
  readonly params?: TObject
  readonly query?: TSchema
  readonly body?: TSchema
  readonly response: TSchema | Readonly<Record<number, TSchema>>
  readonly detail: Readonly<Record<string, unknown>>
  handle(ask: RouteRequest): Promise<unknown>
}

/** Mounts routes in their order. `auth` has the macros that `access` names. */
export function mountRoutes(auth: AnyElysia, name: string, prefix: string, routes: readonly Route[]): AnyElysia {
  const app: AnyElysia = new Elysia({ name, prefix }).use(auth)
  // Casts the handler: Elysia infers a handler's context only from routes that are written out.
  for (const { method, path, access: may, handle, ...schemas } of routes)
    app.route(method, path, ((ask: RouteRequest) => handle(ask)) as never, { ...may, ...schemas } as never)
  return app
}

/** Returns a function that documents operations under one tag of the OpenAPI document, by summary and operation id. */
export const tagOperations = (tag: string) => (summary: string, operationId: string) => ({ tags: [tag], summary, operationId })
