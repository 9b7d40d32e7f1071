import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, namedSchema, PrintableText } from '../schema.ts'

/** A page of a person or a business with lead forms. */
export const LeadPage = namedSchema('LeadPage', exact({ id: PrintableText(60, 1), name: PrintableText(300) }))
/** Type of {@link LeadPage}. */
export type LeadPage = Static<typeof LeadPage>

/** A question of a form; `key` is the name of its answers. */
const Question = exact({ key: PrintableText(200, 1), label: Maybe(PrintableText(500)), type: Maybe(PrintableText(60)) })
/** A lead form with its questions. */
export const LeadForm = namedSchema(
  'LeadForm',
  exact({
    id: PrintableText(60, 1),
    name: PrintableText(300),
    status: Maybe(PrintableText(60)),
    leads: Maybe(T.Integer({ minimum: 0, description: 'number of answers' })),
    questions: T.Array(Question, { maxItems: 100 }),
  }),
)
/** Type of {@link LeadForm}. */
export type LeadForm = Static<typeof LeadForm>
/** Request for the forms of a page. */
export const FormsAsked = exact({ pageId: PrintableText(60, 1) })
/** Type of {@link FormsAsked}. */
export type FormsAsked = Static<typeof FormsAsked>

/** Fields of an order that an answer can fill. */
export const leadFields = ['name', 'phone', 'phoneAlt', 'email', 'country', 'state', 'city', 'address', 'quantity', 'note'] as const
/** One of {@link leadFields}. */
export type LeadField = (typeof leadFields)[number]
const Answers = T.Partial(
  T.Object(
    Object.fromEntries(leadFields.map((field) => [field, PrintableText(200, 1)])) as Record<LeadField, ReturnType<typeof PrintableText>>,
  ),
  {
    additionalProperties: false,
  },
)

/**
 * Forms whose answers become orders. Answers without a declared field are assigned by the usual names of questions; the rest goes into the
 * note.
 */
export const LeadSetup = exact({
  pageId: PrintableText(60, 1),
  forms: T.Array(exact({ formId: PrintableText(60, 1), fields: Maybe(Answers) }), { minItems: 1, maxItems: 200 }),
})
/** Type of {@link LeadSetup}. */
export type LeadSetup = Static<typeof LeadSetup>
