import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { withCustomPlan } from '../../../data/keyset-page.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { Found, FoundPerson, FoundStore, SearchQuery } from './search.model.ts'
import { findPeople, findStores, type Reach } from './search.queries.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Actions'], summary, operationId })
const FEW = 10

/** How far somebody's search for stores reaches: whoever is not an administrator learns of none that he could not list anyway. */
function reachOf({ person, project, scopes }: Principal): Reach {
  // What acts for a person has less than he has: it never sees everybody.
  if (person?.isAdmin && !scopes) return { of: 'all' }
  if (person) return { of: 'member', userId: person.id }
  if (project) return { of: 'project', projectId: project.id }
  throw new ApiError('forbidden', 'Search as a signed-in person, or with an API key of a project.')
}

/** People and stores by name. */
export const search = (context: Context) =>
  new Elysia({ name: 'search actions', prefix: '/v1/actions' })
    .use(context.auth)
    .get(
      '/searchUser',
      async ({ person: { id, isAdmin }, query: { q, limit = FEW } }) => ({
        data: await withCustomPlan(context.sql, async (tx) => [...(await findPeople(tx, isAdmin ? null : id, q, limit))]),
      }),
      {
        // As for lists of members: who else works in a store is for its people, and for no key or app.
        user: true,
        query: SearchQuery,
        response: Found(FoundPerson),
        detail: describe('People by name or e-mail address: of your own stores; for administrators of the platform all', 'searchUser'),
      },
    )
    .get(
      '/searchStore',
      async ({ caller, query: { q, limit = FEW } }) => ({
        data: await withCustomPlan(context.sql, async (tx) => [...(await findStores(tx, reachOf(caller), q, limit))]),
      }),
      {
        access: 'stores:read',
        query: SearchQuery,
        response: Found(FoundStore),
        detail: describe('Stores by name or slug: your own; for administrators of the platform all', 'searchStore'),
      },
    )
