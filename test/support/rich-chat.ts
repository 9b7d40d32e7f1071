import type { Shop, TestApp } from './app.ts'

export const skillOf = (name: string) => `---\nname: ${name}\ndescription: How parcels are packed.\n---\nWith care.\n`

/** A conversation with an answer, a prompt that waits, a change that was proposed, a rule of the whole store and a skill. */
export async function richChat({ ok, context: { sql } }: TestApp, { storeId, projectId, owner }: Shop) {
  const as = owner.token
  const made = async (path: string, body: object) => (await ok('POST', path, { as, body })).data
  const conversation = await made('/v1/chat/conversations', { storeId, title: 'Parcels' })
  const queued = await made(`/v1/chat/conversations/${conversation.id}/queue`, { text: 'And then?' })
  const rule = await made('/v1/chat/rules', { storeId, name: 'brief', text: 'Be brief.', shared: true })
  const skill = await made('/v1/chat/skills', { storeId, content: skillOf('packing') })
  const [message, generation, proposal] = ['msg', 'gen', 'prp'].map((prefix) => `${prefix}_${storeId.slice(4)}`) as [string, string, string]
  await sql`insert into chat_messages (project_id, id, conversation_id, role, text) values (${projectId}, ${message}, ${conversation.id}, 'user', 'Hello')`
  await sql`insert into chat_generations (project_id, id, conversation_id, user_id, message_id, state, ended_at)
    values (${projectId}, ${generation}, ${conversation.id}, ${owner.id}, ${message}, 'completed', now())`
  await sql`insert into chat_generation_parts (project_id, generation_id, seq, part) values (${projectId}, ${generation}, 1, ${sql.json({ type: 'text', text: 'Hello' })})`
  await sql`insert into chat_proposals (project_id, id, user_id, generation_id, tool, thing, arguments, before, after)
    values (${projectId}, ${proposal}, ${owner.id}, ${generation}, 'nothing', 'prd_1', '{}', '{}', '{}')`
  return {
    chat: {
      conversationId: conversation.id as string,
      queuedId: queued.id as string,
      ruleId: rule.id as string,
      skillId: skill.id as string,
      message,
      generation,
      proposal,
    },
  }
}
