import { storeIdOf } from '../../data/project-ids.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { invalidValue } from '../errors/errors.ts'
import { type AuthContext, authContextOf, callerOf, pathIdOf } from './auth-context.ts'
import { projectOf } from './caller-rules.ts'
import { type ActingProject, directUserOf, type Principal } from './principal.ts'
import { type Product, productOf, type Role, type Scope, type StoreRight } from './scopes.ts'

/**
 * Access that a route of a project requires: the least role of a user in the project's store, and the scope of a credential. The scope is
 * also the permission that a restricted member needs.
 */
export type ProjectAccess = readonly [role: Role, scope: Scope]

/** Project that a request reads or changes. */
export type RequestProject = Pick<ActingProject, 'id' | 'tenantId' | 'products'>

/**
 * Finds the project of a store for a signed-in user with a right in the store. Throws `not_found` for a foreign store, `forbidden`,
 * `tenant_deleting`, `product_not_enabled`.
 */
export type StoreProjectFinder = (
  caller: Principal,
  storeId: string,
  needed: StoreRight,
  product: Product | undefined,
) => Promise<RequestProject>

/** Moves the query's `storeId` to the auth context. Handlers and list queries do not know it. */
export function takeStoreId(edge: AuthContext): void {
  const { query } = edge
  if (query?.storeId === undefined) return
  edge.storeId = String(query.storeId)
  delete query.storeId
}

/** Throws `forbidden` unless the caller is a signed-in user, whose right {@link openProject} checks, or acts for a project with the scope. */
export function assertMayAct(caller: Principal, needed: Scope): void {
  if (directUserOf(caller) === null) projectOf(caller, needed)
}

/**
 * Returns the project of a request: that of the credential, or for a session that of the store in the query. Throws `invalid_request` for a
 * session without a store, and `not_found` for a credential that names another store.
 */
export async function openProject(context: object, access: ProjectAccess, find: StoreProjectFinder): Promise<RequestProject> {
  const [edge, caller] = [authContextOf(context), callerOf(context)]
  const { storeId } = edge
  const [role, scope] = access
  if (directUserOf(caller) === null) {
    edge.project = projectOf(caller, scope)
    if (storeId !== undefined && storeId !== storeIdOf(edge.project.id)) throw notFound('The store')
  } else {
    if (storeId === undefined) throw storeUnnamed()
    edge.project = await find(caller, storeId, [role, scope], productOf(scope))
    // Handlers see the project that the user acts in. Requests of users are counted by session, not by project.
    edge.caller = { ...caller, project: { ...edge.project, requestsPerMinute: null } }
  }
  return edge.project
}

const storeUnnamed = () =>
  invalidValue('/query/storeId', 'Name the store: send ?storeId=. Only API keys and tokens of apps may leave it out.')

/**
 * Builds a macro for resources of a project. It gives the row of the path's `id` as `name`, and throws `not_found` for another project's
 * row.
 */
export function projectResourceMacro<const N extends string, Row>(
  name: N,
  find: (projectId: string, id: string) => Promise<Row | undefined>,
) {
  return (needed: ProjectAccess) => ({
    project: needed,
    resolve: async (asked: object) => {
      const { id } = invariant(authContextOf(asked).project, 'The project of the request')
      const row = await find(id, pathIdOf(asked))
      if (!row) throw notFound(`The ${name}`)
      return { [name]: row } as Record<N, Row>
    },
  })
}
