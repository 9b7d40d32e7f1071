import type { Context } from '../../context.ts'
import { callerOf, edgeOf, idOf } from '../../http/auth/auth.ts'
import { type Principal, personIdOf } from '../../http/auth/principal.ts'
import type { Role, Scope } from '../../http/auth/scopes.ts'
import { askAgain } from '../../http/body/body.ts'
import { notFound } from '../../http/errors/errors.ts'
import type { Authority } from '../../http/openapi/openapi.ts'
import type { FileOwner } from '../../platform/files/files.model.ts'
import { fileOf } from '../../platform/files/files.ts'
import { accessStore, chosenStore } from '../stores/access.ts'

type Needs = readonly [role: Role, scope: Scope]
type Gate = Pick<Context, 'sql'>

const declared = (role: Role): Authority => ({ 'x-role': role })

/** A macro for files in the making and lists of them: gives their `owner`, the store that the query names, or else the person himself. */
export const ofOwner =
  (context: Gate) =>
  ([role, scope]: Needs) => ({
    access: scope,
    resolve: async (asked: object) => {
      const { request, query } = edgeOf(asked)
      const find = () => ownerFor(context, callerOf(asked), query?.storeId, [role, scope])
      const owner = await find()
      askAgain(request, find)
      return { owner }
    },
    detail: declared(role),
  })

async function ownerFor(context: Gate, caller: Principal, storeId: unknown, needed: Needs): Promise<FileOwner> {
  const userId = personIdOf(caller)
  if (storeId === undefined && userId !== null) return { storeId: null, userId }
  const store = await chosenStore(context, caller, storeId === undefined ? undefined : String(storeId), needed)
  return { storeId: store.id, userId: null }
}

/** A macro for a file that the path names by its `id`: gives the `file`. Somebody else's is 404. */
export const ofFile =
  (context: Gate) =>
  ([role, scope]: Needs) => ({
    access: scope,
    resolve: async (asked: object) => {
      const file = await fileOf(context, idOf(asked))
      if (!file) throw notFound('The file')
      const caller = callerOf(asked)
      if (file.storeId !== null) await accessStore(context, caller, file.storeId, [role, scope])
      // Of a project as a whole, it is read where it is shown.
      else if (file.userId === null || personIdOf(caller) !== file.userId) throw notFound('The file')
      return { file }
    },
    detail: declared(role),
  })
