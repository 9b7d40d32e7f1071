import { type Queryable, rowValues } from '../../data/sql.ts'

/** Kind of a notice to the owner of an endpoint. */
export type NoticeKind = 'failing' | 'disabled_failing' | 'disabled_gone'

/** Notice to insert. */
export interface NewNotice {
  readonly id: string
  readonly projectId: string
  readonly endpointId: string
  readonly kind: NoticeKind
  readonly percent: number
  readonly message: string
}

/** Inserts a notice. */
export const insertNotice = (sql: Queryable, notice: NewNotice) => sql`insert into webhook_notices ${rowValues(sql, notice)}`

/** Notice with the recipient's address. */
export interface NoticeMail {
  readonly kind: NoticeKind
  readonly message: string
  readonly endpointId: string
  readonly url: string
  readonly percent: number
  readonly to: string | null
}

/** Finds a notice and the address of the project's owner. */
export const findNoticeMail = async (sql: Queryable, noticeId: string) =>
  (
    await sql<NoticeMail[]>`select n.message, n.kind, n.endpoint_id, n.percent, coalesce(e.url, '') as url, u.email as to
    from webhook_notices n left join webhook_endpoints e on e.project_id = n.project_id and e.id = n.endpoint_id join projects p on p.id = n.project_id
    join tenants t on t.id = p.tenant_id left join users u on u.id = t.owner_id where n.id = ${noticeId}`
  )[0]
