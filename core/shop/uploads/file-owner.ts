import type { Context } from '../../context.ts'
import { authContextOf, callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { type Principal, personIdOf } from '../../http/auth/principal.ts'
import type { Role, Scope } from '../../http/auth/scopes.ts'
import { registerRecheck } from '../../http/body/body.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { FileOwner } from '../../platform/files/files.model.ts'
import { getFile } from '../../platform/files/files.ts'
import { accessStore, resolveStore } from '../stores/access.ts'

type RequiredAccess = readonly [role: Role, scope: Scope]
type Dependencies = Pick<Context, 'sql'>

const roleDetail = (role: Role): OperationAccess => ({ 'x-role': role })

/** Creates the macro for uploads and file lists. It adds their `owner`: the store that the query names, or else the user. */
export const fileOwnerMacro =
  (context: Dependencies) =>
  ([role, scope]: RequiredAccess) => ({
    access: scope,
    resolve: async (routeContext: object) => {
      const { request, query } = authContextOf(routeContext)
      const find = () => findOwner(context, callerOf(routeContext), query?.storeId, [role, scope])
      const owner = await find()
      registerRecheck(request, find)
      return { owner }
    },
    detail: roleDetail(role),
  })

async function findOwner(context: Dependencies, caller: Principal, storeId: unknown, needed: RequiredAccess): Promise<FileOwner> {
  const userId = personIdOf(caller)
  if (storeId === undefined && userId !== null) return { storeId: null, userId }
  const store = await resolveStore(context, caller, storeId === undefined ? undefined : String(storeId), needed)
  return { storeId: store.id, userId: null }
}

/**
 * Creates the macro for a route that names a file by its path parameter `id`. It adds the `file`. Throws `not_found` for a file of somebody
 * else.
 */
export const fileMacro =
  (context: Dependencies) =>
  ([role, scope]: RequiredAccess) => ({
    access: scope,
    resolve: async (routeContext: object) => {
      const file = await getFile(context, pathIdOf(routeContext))
      if (!file) throw notFound('The file')
      const caller = callerOf(routeContext)
      if (file.storeId !== null) await accessStore(context, caller, file.storeId, [role, scope])
      // Files of a whole project are read only through what shows them.
      else if (file.userId === null || personIdOf(caller) !== file.userId) throw notFound('The file')
      return { file }
    },
    detail: roleDetail(role),
  })
