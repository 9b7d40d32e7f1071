import { feature } from '../../feature.ts'
import { forgetOld } from './delete-expired.ts'
import { deleteProposalsOf, deleteProposalsOfPerson } from './proposals.queries.ts'
import { proposals } from './proposals.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'tools.forget': Record<string, unknown>
  }
}

/** Tools that the assistant calls in a store, and proposals of changes that users confirm. */
export default feature('tools', {
  routes: [proposals],
  jobs: { 'tools.forget': { at: '51 3 * * *', work: (context, _, signal) => forgetOld(context, signal) } },
  subscribers: {
    async 'store.leaving'(tx, { store }) {
      await deleteProposalsOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteProposalsOfPerson(tx, userId)
    },
  },
})
