import { feature } from '../../feature.ts'
import { deleteProposalsOf, deleteProposalsOfPerson } from './proposals.queries.ts'
import { proposals } from './proposals.routes.ts'

/** What an assistant may look at and propose in a store. */
export default feature('tools', {
  routes: [proposals],
  follows: {
    async 'store.leaving'(tx, { store }) {
      await deleteProposalsOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteProposalsOfPerson(tx, userId)
    },
  },
})
