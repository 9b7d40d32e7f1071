import { defineList, type ListQuery } from '../../../http/resource/list.ts'
import { oneOf } from '../../../http/schema.ts'
import { invitationStatuses } from './members.model.ts'

/** Filters of the list of invitations. */
export const invitationList = defineList({ sorts: null, filters: { status: oneOf(invitationStatuses) } })
/** Parsed filters and page of {@link invitationList}. */
export type InvitationListRequest = ListQuery<typeof invitationList.filters>
