import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { withCustomPlan } from '../../../data/keyset-page.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { tagOperations } from '../../../http/route.ts'
import { actionErrors } from '../actions.errors.ts'
import { FoundStore, FoundUser, SearchQuery, searchResults } from './search.model.ts'
import { findStores, findUsers, type SearchReach } from './search.queries.ts'

const describe = tagOperations('Actions')
/** Default number of results. */
const DEFAULT_LIMIT = 10

/** Returns the stores that a search of the caller covers: only those that they may list anyway. Throws `forbidden`. */
function reachOf({ person, project, scopes }: Principal): SearchReach {
  // A token with scopes never searches all stores, even for an administrator.
  if (person?.isAdmin && !scopes) return { of: 'all' }
  if (person) return { of: 'member', userId: person.id }
  if (project) return { of: 'project', projectId: project.id }
  throw actionErrors.searcherUnknown()
}

/** Routes that search users and stores by name. */
export const search = (context: Context) =>
  new Elysia({ name: 'search actions', prefix: '/v1/actions' })
    .use(context.auth)
    .get(
      '/searchUser',
      async ({ person: { id, isAdmin }, query: { q, limit = DEFAULT_LIMIT } }) => ({
        data: await withCustomPlan(context.sql, async (tx) => [...(await findUsers(tx, isAdmin ? null : id, q, limit))]),
      }),
      {
        // For users only, as lists of members are: API keys and apps do not see the members of a store.
        user: true,
        query: SearchQuery,
        response: searchResults(FoundUser),
        detail: describe(
          'Search users of your own stores by name or e-mail address; administrators of the platform search all',
          'searchUser',
        ),
      },
    )
    .get(
      '/searchStore',
      async ({ caller, query: { q, limit = DEFAULT_LIMIT } }) => ({
        data: await withCustomPlan(context.sql, async (tx) => [...(await findStores(tx, reachOf(caller), q, limit))]),
      }),
      {
        access: 'stores:read',
        query: SearchQuery,
        response: searchResults(FoundStore),
        detail: describe('Search your own stores by name or slug; administrators of the platform search all', 'searchStore'),
      },
    )
