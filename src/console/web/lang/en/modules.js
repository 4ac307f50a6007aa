/** English: purpose and example of each module. */
export default {
  moduleTexts: `
relationship|People who matter to you, and what happened with them.|Anna, a friend, to be called every month
commitment|What you promised or were promised, lent or borrowed, until it is done.|Return the ladder to Jonas by Friday
identity|Who you are now.|Gardener and father of two
constitution|The principles, values and beliefs that you live by.|I answer letters within a week
resource|What you can spend: time, energy, money, skills.|20 free hours a week
decision|Choices with their options, your reasons and how they turned out.|Stay in the city or move to the country?
health|Measurements of your body and how you feel.|72.4 kg this morning
action|Visions, goals, projects and tasks, each with what makes it a success.|Paint the kitchen before winter
routine|What returns every few days or months.|Water the plants every 4 days
review|A look back at a day, a week or a year.|What went well this week
ai-agent|Conversations with assistants, and what you allowed them to do.|Advice on a difficult letter
personal-model|What you believe about yourself, with how sure you are.|I decide better in the morning
interview|Questions about your life, and your answers.|What did your grandmother teach you?
memory|What you remember, in your own words, as precisely as you know when.|The lake in the summer of 1998
capture|Thoughts as they come. Sort them later.|Ask Maria about the recipe
timeline|The events that shaped your life, in order.|Moved to Hamburg in 2011
knowledge|What you read or want to read, with your notes.|A paper on sleep, unread
media|Photos and recordings, and why they matter.|Father's voice at his 70th birthday
taxonomy|Words that hold records together.|Garden
integration|Services that you bring data from.|A calendar, imported by hand
legacy|What others should get or know when you are gone.|A letter to my daughter
community|Groups that you belong or belonged to.|The choir, since 2015
place|Places that mean something to you.|The bench above the river
publication|Texts that you make public, from draft to print.|An essay on walking`,
};
