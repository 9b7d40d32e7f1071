import { type MountedRoute, rightOfRoute } from '../../http/openapi/operation.ts'

/** Needs of an operation: the least role and, for members with individual permissions, the permission. */
export type Right = readonly [role: string, permission?: string]

/** Needs of all operations that a signed-in person may call, by operation id. */
export type Rights = Readonly<Record<string, Right>>

/** Lists what each route needs, so that the console hides what would be refused. Routes for keys alone are absent. */
export function listRights(routes: readonly MountedRoute[]): Rights {
  const rights: Record<string, Right> = {}
  for (const route of routes) {
    const right = rightOfRoute(route)
    if (right === null || right.role === 'API key') continue
    rights[right.operationId] = right.permission === undefined ? [right.role] : [right.role, right.permission]
  }
  return rights
}
