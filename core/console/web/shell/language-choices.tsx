import { MenuChoice } from '../ui/menu-choice.tsx'
import { language, languageNames, languages, loadWords, t } from '../words/words.ts'

/** Choices of the language of the console, remembered in this browser. */
export const LanguageChoices = () => (
  <>
    <p class="heading">{t('language.menu')}</p>
    {languages.map((each) => (
      <MenuChoice key={each} label={languageNames[each]} isChosen={language.value === each} onChoose={() => void loadWords(each, true)} />
    ))}
  </>
)
