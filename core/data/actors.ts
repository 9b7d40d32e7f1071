import type { Queryable } from './sql.ts'

type Fragment = ReturnType<Queryable>

/** Rows that name the actor of a row with `by_kind`, `by_id`, `app_id` and `admin_id`: `u`, `k`, `i`, `p` and `a`. */
export const joinActors = (sql: Queryable, of: Fragment) => sql`
  left join users u on ${of}.by_kind = 'person' and u.id = ${of}.by_id left join api_keys k on ${of}.by_kind = 'key' and k.id = ${of}.by_id
  left join integrations i on ${of}.by_kind in ('connector', 'carrier') and i.id = ${of}.by_id
  left join apps p on p.id = ${of}.app_id left join users a on a.id = ${of}.admin_id`

/** What an actor is called now, where `joinActors` joined it. */
export const nameOfActor = (sql: Queryable) => sql`coalesce(u.name, k.name, nullif(i.name, ''), i.key)`
