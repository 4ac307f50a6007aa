/** The question bank (INT-001): questions about a life, each with its theory. */

interface BankQuestion {
  /** The title identifies the question, and is never reused for another one. */
  readonly title: string;
  readonly theory: string;
  /** 0 to 100; higher ones are asked first. */
  readonly priority: number;
  readonly question: string;
  readonly followUp: string;
}

/** Questions of one theory: title, priority, question, follow-up. */
type Rows = readonly (readonly [string, number, string, string])[];

// deno-fmt-ignore: one question a row
const BY_THEORY: Readonly<Record<string, Rows>> = {
  "Narrative identity (McAdams)": [
    ["The chapters of my life", 95, "If your life were a book, what would its chapters be called, and where does each begin?", "Which chapter is the hardest to give a title, and why?"],
    ["A high point", 90, "Describe a moment that stands out as one of the best of your whole life. What happened, who was there, what did you feel?", "What does it say about you that this moment comes to mind?"],
    ["A low point", 80, "Describe a moment that stands out as one of the hardest. How did you get through it?", "Is there anything in it that you would not want to have missed?"],
    ["A turning point", 88, "When did your life change its direction? Did you know it at the time?", "Who would you be today if it had not happened?"],
    ["My earliest memory", 70, "What is the earliest thing that you remember, with as much detail as you can give?", "How sure are you that it is a memory and not a story you were told?"],
    ["The next chapter", 75, "What is the next chapter of your life going to be about?", "What would have to be true in five years for you to call it a good one?"],
    ["The theme of my story", 72, "Looking back over all of it, which theme or idea runs through your story?", "When did you last act against that theme?"],
  ],
  "Attachment theory (Bowlby, Ainsworth)": [
    ["Who comforted me as a child", 74, "When you were upset as a child, to whom did you go, and what happened then?", "To whom do you go today?"],
    ["How I behave when I need someone", 70, "When you need someone and they are not there, what do you usually do?", "When did you last do something different?"],
    ["Separation and return", 58, "Which parting in your life did you feel most, and how did you meet again, if you did?", "What do you do now to make partings easier?"],
    ["What makes me feel safe with a person", 68, "With whom do you feel completely safe, and what do they do that makes it so?", "Who would say that of you?"],
  ],
  "Self-determination theory (Deci and Ryan)": [
    ["What I do without reward", 82, "Which activities do you take up although nobody asks for them or pays you for them?", "What in them is it that draws you?"],
    ["Where I decide for myself", 78, "In which parts of your life do you decide for yourself, and in which do others decide?", "Which one decision would you most like to take back into your own hands?"],
    ["What I am good at", 76, "At what have you become good, and how do you know?", "What would you like to be good at that you have not begun?"],
    ["Where I belong", 76, "In which group of people do you feel that you belong, without having to earn it?", "What do you give to it?"],
    ["Reasons that are not mine", 64, "What do you do mainly because you would feel guilty otherwise?", "What would happen if you stopped for a month?"],
  ],
  "Basic human values (Schwartz)": [
    ["Two values in conflict", 79, "When did two things that you hold important ask opposite things of you? Which one won?", "Would you decide the same today?"],
    ["What I would not sell", 77, "What would you not give up for any amount of money?", "How much of last week did you give to it?"],
    ["Security or freedom", 66, "Where do you trade freedom for security, and where security for freedom?", "Was it the same ten years ago?"],
    ["Tradition I keep", 55, "Which tradition do you keep, and for whom do you keep it?", "Which one did you let go, and do you miss it?"],
  ],
  "Psychosocial development (Erikson)": [
    ["When I became an adult", 69, "At which moment did you first feel like an adult?", "Who noticed it besides you?"],
    ["What I pass on", 73, "What have you taught or given to someone younger that will outlast you?", "From whom did you have it?"],
    ["Looking back without regret", 65, "If your life ended this year, what would you look back on with peace?", "What would still be unfinished, and can it be finished?"],
    ["Who I tried to be at twenty", 60, "Who did you try to be when you were about twenty?", "What is left of that person?"],
  ],
  "Cognitive behavioural therapy (Beck)": [
    ["A sentence I tell myself", 71, "Which sentence do you tell yourself when something goes wrong?", "What would you say to a friend who said it of themselves?"],
    ["A situation I avoid", 68, "Which situation do you avoid, and what do you expect to happen in it?", "When was the last time that it did happen?"],
    ["Evidence against a belief", 67, "Name a belief about yourself that weighs on you. What speaks against it?", "Who could tell you more?"],
  ],
  "Character strengths (Peterson and Seligman)": [
    ["A strength others see", 72, "For which quality do other people thank or praise you most often?", "Do you count it as a strength yourself?"],
    ["Three good things", 62, "Which three things went well in the last week, and what was your part in each?", "Which of them can you repeat?"],
    ["When I was brave", 66, "When did you act although you were afraid?", "What helped you to take the first step?"],
    ["Gratitude not yet spoken", 64, "Whom have you never properly thanked?", "What would you write, if you wrote it today?"],
  ],
  "Flow (Csikszentmihalyi)": [
    ["When I forget the time", 74, "During which activity do you forget time and yourself?", "When did you last do it, and what stands in the way of the next time?"],
    ["Too hard, too easy", 54, "Which of your tasks is too easy for you, and which too hard?", "What would bring each of them nearer to the middle?"],
  ],
  "Logotherapy (Frankl)": [
    ["What gets me up", 78, "What gets you out of bed on a day without duties?", "For whom or what would you get up on the worst day?"],
    ["Meaning in a hardship", 62, "Which hardship has a meaning for you today that it did not have then?", "How long did that take?"],
    ["Someone who needs me", 66, "Who or what would be missing something if you were not there?", "Do they know that you know?"],
  ],
  "Family systems (Bowen)": [
    ["My role in the family", 70, "Which role did you have in the family you grew up in: the peacemaker, the clown, the responsible one, another?", "Where do you still play it?"],
    ["What was not spoken of", 60, "What was not spoken of in your family?", "With whom could you speak of it now?"],
    ["A pattern across generations", 61, "What do you do just as one of your parents or grandparents did?", "Do you want to hand it on?"],
  ],
  "Social support (House)": [
    ["Whom I can call at night", 76, "Whom could you call at three in the morning?", "Who could call you?"],
    ["A friendship that faded", 59, "Which friendship faded without a quarrel?", "What would be the smallest step towards it?"],
    ["A quarrel not settled", 57, "With whom is something unsettled, and what would you need to settle it?", "What would they say it is about?"],
  ],
  "Behavioural activation and habit (Lewinsohn, Wood)": [
    ["A habit that carries me", 65, "Which habit carries you through difficult weeks?", "How did it begin?"],
    ["A habit I would drop", 60, "Which habit would you drop if it cost no effort, and what does it give you today?", "What could give you the same?"],
    ["My energy through the day", 56, "At which hours of the day are you at your best, and what do you spend them on?", "What could move into those hours?"],
  ],
  "Decision under uncertainty (Kahneman, Klein)": [
    ["My best decision", 71, "What was the best decision of your life, judged by how you took it and not by how it ended?", "What did you do then that you do not always do?"],
    ["A decision I put off", 69, "Which decision are you putting off, and what does waiting cost you each month?", "What would you need to know to decide this week?"],
    ["What I was sure of", 58, "Of what were you once completely sure, and wrong?", "What made you change your mind?"],
  ],
  "Mortality and legacy (Yalom)": [
    ["How I want to be remembered", 67, "What should the people closest to you say of you when you are gone?", "What have you done this month that they could say it of?"],
    ["What I am afraid to lose", 58, "What are you most afraid to lose?", "How do you treat it while you have it?"],
  ],
};

/** By theory, in order. */
export const QUESTION_BANK: readonly BankQuestion[] = Object.entries(BY_THEORY).flatMap(
  ([theory, rows]) =>
    rows.map(([title, priority, question, followUp]) => ({
      title,
      theory,
      priority,
      question,
      followUp,
    })),
);
