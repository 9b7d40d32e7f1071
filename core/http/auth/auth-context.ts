import { type ActingProject, type Principal, unauthenticatedError } from './principal.ts'

/** Properties of Elysia's context that the auth hooks read and write. */
export interface AuthContext {
  readonly request: Request
  /** Path pattern as declared. */
  readonly route: string
  readonly server: { requestIP(request: Request): { address: string } | null } | null
  readonly set: { headers: Record<string, string | number> }
  /** Path parameters; absent if the path has none. */
  readonly params?: Readonly<Record<string, string | undefined>>
  /** Query parameters; absent if the route reads none. */
  readonly query?: Record<string, unknown>
  body: unknown
  caller?: Principal | null
  address?: string
  /** Store that the query of a project's route names. */
  storeId?: string
  /** Project of the request, for routes of a project. */
  project?: Pick<ActingProject, 'id' | 'tenantId' | 'products'>
  /** Error of a session cookie that does not count. Routes that need a credential answer with it. */
  refusedCookie?: unknown
  /** Error for a route that shows it on a page. */
  refused?: unknown
}

/** Casts a context. Macros are defined before the routes that use them, so their hooks are not typed with the routes' context. */
export const authContextOf = (context: object) => context as AuthContext

/** Returns the `:id` parameter of the path. */
export const pathIdOf = (context: object): string => authContextOf(context).params?.id ?? ''

/** Returns the caller of a route that requires a credential. Throws `unauthenticated` if there is none. */
export const callerOf = (context: object): Principal => requireCaller(authContextOf(context).caller ?? null)

/** Returns the caller. Throws `unauthenticated` if there is none. */
export function requireCaller(caller: Principal | null): Principal {
  if (caller) return caller
  throw unauthenticatedError()
}
