import { feature } from '../../feature.ts'
import { findProjectOfStore } from './access.ts'
import { audit } from './audit.routes.ts'
import { authority } from './authority.ts'
import { EXPIRED_BLOCKS_KEPT_DAYS } from './blocks/blocks.model.ts'
import { deleteExpiredBlocks, personalBlocks } from './blocks/blocks.queries.ts'
import { blocks } from './blocks/blocks.routes.ts'
import { invitationPages } from './members/invitation-page.routes.ts'
import { deleteOldInvitations } from './members/invitations.queries.ts'
import { invitations } from './members/invitations.routes.ts'
import { members } from './members/members.routes.ts'
import { ownerSubscribers } from './members/owner-subscribers.ts'
import { stores } from './stores.routes.ts'
import { storeSubscribers } from './subscribers.ts'
import { deleteExpiredPreviews } from './template-preview/template-preview.queries.ts'
import { templatePreview } from './template-preview/template-preview.routes.ts'

declare module '../../context.ts' {
  interface Services {
    /** Macros of `auth`, and those that find the store of a route: `.use(context.authority)`. */
    readonly authority: ReturnType<typeof authority>
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'stores.deleteExpired': Record<string, unknown>
  }
}

const INVITATIONS_KEPT_DAYS = 365

/** Stores, their members and invitations, blocks, template previews and audit log. */
export default feature('stores', {
  provides: { projectOfStore: findProjectOfStore },
  setup: async (before) => ({ services: { authority: authority(before) } }),
  routes: [stores, members, invitations, invitationPages, blocks, templatePreview, audit],
  jobs: {
    'stores.deleteExpired': {
      schedule: '43 4 * * *',
      async work({ sql }) {
        await deleteOldInvitations(sql, INVITATIONS_KEPT_DAYS)
        await deleteExpiredBlocks(sql, EXPIRED_BLOCKS_KEPT_DAYS)
        await deleteExpiredPreviews(sql)
      },
    },
  },
  subscribers: { ...storeSubscribers, ...ownerSubscribers },
  personalData: [personalBlocks],
})
