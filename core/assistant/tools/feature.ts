import { feature } from '../../feature.ts'
import { deleteExpiredProposals } from './delete-expired.ts'
import { deleteProposalsOfProject, deleteProposalsOfUser } from './proposals.queries.ts'
import { proposals } from './proposals.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'tools.deleteExpired': Record<string, unknown>
  }
}

/** Tools that the assistant calls in a store, and proposals of changes that users confirm. */
export default feature('tools', {
  routes: [proposals],
  jobs: { 'tools.deleteExpired': { schedule: '51 3 * * *', work: (context, _, signal) => deleteExpiredProposals(context, signal) } },
  subscribers: {
    async 'store.deleted'(tx, { store }) {
      await deleteProposalsOfProject(tx, store.projectId)
    },
    async 'user.deleted'(tx, { userId }) {
      await deleteProposalsOfUser(tx, userId)
    },
  },
})
