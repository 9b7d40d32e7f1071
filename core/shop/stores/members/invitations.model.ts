import { type Asked, listing } from '../../../http/resource/list.ts'
import { oneOf } from '../../../http/schema.ts'
import { invitationStatuses } from './members.model.ts'

/** Filters of the list of invitations. */
export const invitationList = listing({ sorts: null, filters: { status: oneOf(invitationStatuses) } })
/** Parsed filters and page of {@link invitationList}. */
export type AskedInvitations = Asked<typeof invitationList.filters>
