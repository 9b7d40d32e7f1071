import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteChatOf, deleteChatOfPerson } from './chat.queries.ts'
import { conversations } from './chat.routes.ts'
import { forgetOld } from './delete-expired.ts'
import { Generating } from './generation/generation-runner.ts'
import { letGoOfDead } from './generation/generations.queries.ts'
import { generations, queue, rules } from './generation/generations.routes.ts'
import { type ModelSource, modelSource } from './generation/source.ts'

declare module '../../context.ts' {
  interface Services {
    /** Generations that run in this process. */
    readonly generating: Generating
    /** Source of models and completions. Tests replace its members. */
    readonly chatModels: ModelSource
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'chat.forget': Record<string, unknown>
  }
}

/** Conversations of users with an assistant that can read their store and propose changes to it. */
export default feature('chat', {
  routes: [conversations, generations, queue, rules],
  async setup({ processes }) {
    const generating = new Generating()
    processes.onProcessDead(letGoOfDead)
    return { services: { generating, chatModels: { ...modelSource } } }
  },
  async start(context) {
    context.generating.begin(context)
    return { stop: () => context.generating.stop() }
  },
  jobs: { 'chat.forget': { at: '47 3 * * *', work: (context, _, signal) => forgetOld(context, signal) } },
  subscribers: {
    async 'store.leaving'(tx, { store }) {
      await deleteChatOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteChatOfPerson(tx, userId)
    },
  },
  personalData: [
    searched({ table: 'chat_conversations', owner: 'store', key: ['id'], columns: { title: 'text' }, created: 'created_at' }),
    searched({ table: 'chat_messages', owner: 'store', key: ['id'], columns: { text: 'text', tool_calls: 'json' }, created: 'created_at' }),
    searched({ table: 'chat_generations', owner: 'store', key: ['id'], columns: { problem: 'text' }, created: 'created_at' }),
    searched({ table: 'chat_generation_parts', owner: 'store', key: ['generation_id', 'seq:integer'], columns: { part: 'json' } }),
    searched({
      table: 'chat_proposals',
      owner: 'store',
      key: ['id'],
      columns: { arguments: 'json', before: 'json', after: 'json', result: 'text', thing: 'id' },
      created: 'created_at',
    }),
    searched({ table: 'chat_queue', owner: 'store', key: ['id'], columns: { text: 'text' }, created: 'created_at' }),
    searched({ table: 'chat_rules', owner: 'store', key: ['id'], columns: { name: 'text', text: 'text' }, created: 'created_at' }),
  ],
})
