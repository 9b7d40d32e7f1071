import type { TestApp } from './app.ts'

/** A task that was done, and what it was paid from. */
export async function richAi({ context: { sql } }: TestApp, { projectId }: { projectId: string }) {
  const [id, file] = [`ait_${projectId.slice(4)}`, `fil_${projectId.slice(4)}`]
  await sql`update projects set products = products || '{ai}' where id = ${projectId}`
  await sql`insert into ai_accounts (project_id, currency, available) values (${projectId}, 'USD', 1)`
  await sql`insert into ai_tasks (project_id, id, state, model, connection_id, gives, input, currency, hold, charged, ended_at)
    values (${projectId}, ${id}, 'completed', 'sandbox-model/writer', 'itg_none', 'text', '{}', 'USD', 0, 0, now())`
  await sql`insert into ai_entries (project_id, currency, kind, task_id, source, available)
    values (${projectId}, 'USD', 'credit', null, -1, 1), (${projectId}, 'USD', 'hold', ${id}, 0, 0), (${projectId}, 'USD', 'settlement', ${id}, 0, 0)`
  await sql`insert into files (id, project_id, owner, key, name, content_type, bytes, hash)
    values (${file}, ${projectId}, 'project', ${`${projectId}/${file}`}, 'picture.png', 'image/png', 1, '')`
  await sql`insert into ai_task_files (project_id, task_id, file_id) values (${projectId}, ${id}, ${file})`
  return { aiTask: { id } }
}
