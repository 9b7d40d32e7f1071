import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'

/** Mail to insert. */
export interface NewMail {
  readonly id: string
  readonly template: string
  readonly recipient: string
  /** Encrypted content. */
  readonly content: string
  readonly once: string | null
  readonly goodUntil: Date | null
  readonly isNear: boolean
}

/** Finds the language of the user with this address. Undefined if there is no such user, null if they chose none. */
export const findLanguage = async (sql: Queryable, email: string) =>
  (
    await sql<
      { language: 'en' | 'fr' | 'ar' | null }[]
    >`select language from users where lower(email) = lower(${email}) and deleted_at is null`
  )[0]?.language

/** Inserts a mail. Returns false if a mail with the same `once` key exists. */
export const insertMail = async (sql: Queryable, mail: NewMail) =>
  (await sql`insert into mails ${rowValues(sql, mail)} on conflict (once) do nothing`).count > 0

/** Returns true if a mail with this `once` key exists. */
export const hasMail = async (sql: Queryable, once: string) => (await sql`select 1 from mails where once = ${once}`).length > 0

/** Counts the mails of one template to an address within the hour. Locks the pair until the transaction ends. */
export async function countRecentMails(
  sql: Tx,
  recipient: string,
  template: string,
  { isNear }: { readonly isNear: boolean },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${template} ${recipient}`}, 0))`
  return (
    await sql`select 1 from mails where lower(recipient) = ${recipient} and template = ${template} and is_near = ${isNear}
      and created_at > now() - interval '1 hour'`
  ).length
}

/** Mail that is due for an attempt. */
export interface DueMail {
  readonly id: string
  readonly template: string
  readonly recipient: string
  readonly content: string
  readonly attempts: number
  readonly createdAt: string
  readonly isOver: boolean
}

/** Counts an attempt of a queued mail and returns the mail. Undefined if it is no longer queued. */
export const beginAttempt = async (sql: Queryable, id: string) =>
  (
    await sql<DueMail[]>`update mails set attempts = attempts + 1 where id = ${id} and state = 'queued'
      returning id, template, recipient, content, attempts, created_at, coalesce(good_until < now(), false) as is_over`
  )[0]

/** Records the final outcome of a mail and deletes its content. */
export const recordFinalOutcome = (sql: Queryable, id: string, state: 'sent' | 'failed', error: string | null) =>
  sql`update mails set state = ${state}, last_error = ${error}, content = null, settled_at = now() where id = ${id} and state = 'queued'`

/** Records the error of an attempt. Returns false if the mail is no longer queued. */
export const recordMailError = async (sql: Queryable, id: string, error: string) =>
  (await sql`update mails set last_error = ${error} where id = ${id} and state = 'queued'`).count > 0

/** Deletes up to `most` of the oldest mails. Returns their number. */
export const deleteMailsOlderThan = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from mails where id = any (array(
      select id from mails where created_at < now() - ${days} * interval '1 day' order by created_at limit ${most}))`
  ).count
