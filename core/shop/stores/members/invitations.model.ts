import { type Asked, listing } from '../../../http/resource/list.ts'
import { oneOf } from '../../../http/schema.ts'
import { invitationStatuses } from './members.model.ts'

export const invitationList = listing({ sorts: null, filters: { status: oneOf(invitationStatuses) } })
export type AskedInvitations = Asked<typeof invitationList.filters>
